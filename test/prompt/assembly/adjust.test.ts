import { describe, expect, it, vi } from "vitest";
import type { Adjust, AdjustedSection } from "../../../src/index.ts";
import { deploy, promptOf, textOf, whenLate } from "./fixture.ts";

function withSections() {
  const deployed = deploy();
  deployed.deployment.section({ name: "b", order: 20, text: "second {{model}}" });
  deployed.deployment.section({ name: "a", order: 10, text: () => "first" });
  return deployed;
}

describe("an adjuster", () => {
  it("P5 sees the sections in order, their texts settled and not yet filled, and the request", async () => {
    const { deployment } = withSections();
    deployment.section({ name: "silent", order: 15, text: () => undefined });
    const seen: unknown[] = [];
    deployment.adjust((sections, { model }) => {
      seen.push(sections, model, Object.isFrozen(sections), sections.every(Object.isFrozen));
      return undefined;
    });
    expect(await textOf(deployment, { model: "m" })).toBe("first\n\nsecond m");
    expect(seen).toEqual([
      [
        { name: "a", order: 10, text: "first", fill: true },
        { name: "b", order: 20, text: "second {{model}}", fill: true },
      ],
      "m",
      true,
      true,
    ]);
  });

  it("P5 may add, change and leave out sections; what it returns is placed and filled as any other", async () => {
    const { deployment, logged } = withSections();
    deployment.adjust("team", async ([first]) => [
      { name: "late", order: 30, text: "{{ raw }}", fill: false },
      { name: "early", order: 5, text: "early {{model}}" },
      { ...(first as AdjustedSection), text: "changed" },
    ]);
    expect(await textOf(deployment, { model: "m" })).toBe("early m\n\nchanged\n\n{{ raw }}");
    expect(logged).toEqual([
      'the prompt sections "early" (order 5) and "a" (order 10) are nearer than 10: leave room for a section between them',
    ]);
  });

  it("P5 P2 P10 may not add what a scope could not register", async () => {
    const adding = (section: object) => {
      const { deployment } = withSections();
      deployment.adjust("team", (sections) => [...sections, section as AdjustedSection]);
      return promptOf(deployment, { model: "m" });
    };
    await expect(adding({ name: "x", order: Number.NaN, text: "x" })).rejects.toMatchObject({
      code: "prompt_invalid",
      message: 'order must be a finite number: section "x" has NaN',
    });
    await expect(adding({ name: "x", text: "x" })).rejects.toThrow(
      'order must be a finite number: section "x" has undefined',
    );
    await expect(adding({ name: "x", order: 50, text: "{{nobody}}" })).rejects.toThrow(
      'unknown prompt variable "{{nobody}}" in section "x"',
    );
  });

  it("P5 of an outer scope comes first, then in order of registration, each with what the last returned", async () => {
    const { deployment } = withSections();
    const narrow = deployment.scope("narrow");
    const append = (mark: string) => (sections: readonly AdjustedSection[]) =>
      sections.map((section) => ({ ...section, text: `${section.text}${mark}` }));
    narrow.adjust("z", append("3"));
    narrow.adjust("a", append("4"));
    deployment.adjust("y", append("1"));
    deployment.adjust(() => undefined);
    deployment.adjust(append("2"));
    expect(await textOf(narrow, { model: "m" })).toBe("first1234\n\nsecond m1234");
    expect(await textOf(deployment, { model: "m" })).toBe("first12\n\nsecond m12");
    narrow[Symbol.dispose]();
    expect(await textOf(deployment, { model: "m" })).toBe("first12\n\nsecond m12");
  });

  it("P5 reaches neither a complete section nor a context that the deployment turned off", async () => {
    const { deployment } = withSections();
    deployment.runtimeContext(false);
    const adjust = vi.fn<Adjust>(() => [{ name: "all", order: 1, text: "mine", complete: true }]);
    deployment.adjust("greedy", adjust);
    await expect(promptOf(deployment, { model: "m" })).rejects.toMatchObject({
      code: "prompt_failed",
      message:
        'prompt adjuster "greedy" of scope "deployment" failed: its section "all" claims the whole prompt, which no adjuster can',
    });
    deployment.section({ name: "complete", order: 30, text: "everything", complete: true });
    adjust.mockClear();
    expect(await promptOf(deployment)).toMatchObject({ text: "everything", context: undefined });
    expect(adjust).not.toHaveBeenCalled();
  });

  const failures: readonly (readonly [string, () => unknown, string])[] = [
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "broken",
    ],
    ["returns null", () => null, "it must return an array of sections, got null"],
    ["returns text", () => "text", 'it must return an array of sections, got "text"'],
    ["returns no section", () => [7], "it returned 7 as a section"],
    ["returns a section without a name", () => [{ order: 1, text: "" }], "it returned a section without a name"],
    [
      "returns a section without text",
      () => [{ name: "x", order: 1 }],
      'the text of its section "x" is undefined, not text',
    ],
    [
      "returns a wrong switch",
      () => [{ name: "x", order: 1, text: "", fill: 1 }],
      'fill of its section "x" is 1, not true or false',
    ],
    [
      "returns a name twice",
      () => [
        { name: "x", order: 1, text: "" },
        { name: "x", order: 2, text: "" },
      ],
      'it returned two sections "x"',
    ],
    [
      "returns a list with a hole",
      () => Object.assign([{ name: "a", order: 1, text: "a" }], { length: 2 }),
      "it returned undefined as a section",
    ],
    [
      "returns a list without end",
      () => Object.assign([], { length: 4_000_000_000 }),
      "it returned more than 100000 sections",
    ],
    [
      "returns what throws when it is read",
      () => [
        {
          get name() {
            throw new Error("trap");
          },
        },
      ],
      "trap",
    ],
  ];
  it.each(failures)("P5 that %s refuses the assembly, and is named", async (_, adjust, why) => {
    const { deployment } = withSections();
    deployment.adjust("team", adjust as () => undefined);
    await expect(promptOf(deployment, { model: "m" })).rejects.toMatchObject({
      code: "prompt_failed",
      message: `prompt adjuster "team" of scope "deployment" failed: ${why}`,
    });
  });

  it("P5 cannot change what it was shown", async () => {
    const { deployment } = withSections();
    deployment.adjust("team", (sections) => void (sections as AdjustedSection[]).pop());
    await expect(promptOf(deployment)).rejects.toThrow(/^prompt adjuster "team" of scope "deployment" failed: Cannot /);
  });

  it("P5 that never answers refuses the assembly, and is named", async () => {
    const { deployment } = withSections();
    deployment.adjust("slow", () => new Promise<undefined>(() => undefined));
    expect(await whenLate(deployment)).toMatchObject({
      refused: {
        code: "prompt_failed",
        message: 'prompt adjuster "slow" of scope "deployment" did not answer within 5000 ms',
      },
      timers: 0,
    });
  });
});
