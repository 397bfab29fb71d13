import { describe, expect, it, vi } from "vitest";
import { addTool, deploy, promptOf, textOf, whenLate } from "./fixture.ts";

describe("the text", () => {
  it("P1 P6 P8 is identity line, persona prefix, sections, tool descriptions, persona suffix, a blank line between each two", async () => {
    const { deployment } = deploy({ identity: "You are an AI agent powered by DataMind Oda." });
    deployment.persona({ suffix: "Be brief." });
    addTool(deployment, "find_order", "Finds an order");
    addTool(deployment, "cancel_order", "Cancels an order\n\nand returns its number");
    deployment.section({ name: "team", order: 20, text: "Work together." });
    deployment.section({ name: "plan", order: 10, text: "Plan first.\n\nThen act." });
    deployment.persona({ prefix: "Speak as the shop." });
    deployment.identity(true);
    const { text, parts, context } = await promptOf(deployment);
    expect(text).toBe(
      [
        "You are an AI agent powered by DataMind Oda.",
        "Speak as the shop.",
        "Plan first.\n\nThen act.",
        "Work together.",
        "Tools:\n- cancel_order: Cancels an order\n\n  and returns its number\n- find_order: Finds an order",
        "Be brief.",
      ].join("\n\n"),
    );
    expect(parts.map(({ kind, name, tokens }) => `${kind} ${name} ${tokens}`)).toEqual([
      "identity identity 11",
      "prefix prefix 5",
      "section plan 6",
      "section team 4",
      "tools tools 24",
      "suffix suffix 3",
    ]);
    expect(parts.map((part) => part.text).join("\n\n")).toBe(text);
    expect(context).toBeUndefined();
  });

  it("P1 has no blank lines of parts that say nothing, nor of the ends of others; inside a part nothing is touched", async () => {
    const { deployment } = deploy();
    for (const [index, text] of ["", "\n\n  indented\n\n\nlines  \n\n", " \n\t", "last"].entries()) {
      deployment.section({ name: `s${index}`, order: index * 10, text });
    }
    deployment.section({ name: "later", order: 50, text: () => undefined });
    expect(await textOf(deployment)).toBe("  indented\n\n\nlines\n\nlast");
  });

  it("P1 P6 is empty where nothing is registered, and the identity line is off", async () => {
    const { text, parts, context, messages } = await promptOf(deploy({ identity: "You are Oda." }).deployment);
    expect({ text, parts, context, messages }).toEqual({ text: "", parts: [], context: undefined, messages: [] });
  });

  it("P6 P8 P3 a narrower scope has its own line, pieces by name and sections, for itself and those below it", async () => {
    const { deployment } = deploy();
    deployment.identity("I am the deployment.");
    deployment.persona({ prefix: "wide prefix", suffix: "wide suffix" });
    deployment.persona({ name: "legal", suffix: "Mind the law." });
    deployment.section({ name: "plan", order: 10, text: "wide plan" });
    deployment.section({ name: "team", order: 20, text: "wide team" });
    const narrow = deployment.scope("narrow");
    const inner = narrow.scope("inner");
    narrow.identity("I am narrow.");
    narrow.persona({ prefix: "narrow prefix" });
    narrow.section({ name: "plan", order: 30, text: "narrow plan" });
    const narrowText = "I am narrow.\n\nnarrow prefix\n\nwide team\n\nnarrow plan\n\nwide suffix\n\nMind the law.";
    expect([await textOf(narrow), await textOf(inner)]).toEqual([narrowText, narrowText]);
    const wide = "I am the deployment.\n\nwide prefix\n\nwide plan\n\nwide team\n\nwide suffix\n\nMind the law.";
    expect(await textOf(deployment)).toBe(wide);
    expect(await textOf(deployment.scope("other"))).toBe(wide);
    narrow[Symbol.dispose]();
    expect(await textOf(deployment)).toBe(wide);
  });
});

describe("the order of sections", () => {
  it("P2 is ascending, and that of names by code units where two are equal", async () => {
    const { deployment } = deploy();
    for (const [name, order] of [
      ["b", 20],
      ["ä", 20],
      ["B", 20],
      ["last", 1e9],
      ["first", -0.5],
    ] as const) {
      deployment.section({ name, order, text: name });
    }
    expect(await textOf(deployment)).toBe("first\n\nB\n\nb\n\nä\n\nlast");
  });

  it.each([
    [undefined, "undefined"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    ["10", '"10"'],
    [null, "null"],
    [10n, "10"],
  ])("P2 with the placement %s is refused", async (order, shown) => {
    const { deployment } = deploy();
    deployment.section({ name: "plan", order: order as number, text: "Plan." });
    await expect(promptOf(deployment)).rejects.toMatchObject({
      code: "prompt_invalid",
      message: `order must be a finite number: section "plan" has ${shown}`,
    });
  });

  it("P2 draws a warning, once for an agent, where two are nearer than ten", async () => {
    const { deployment, logged } = deploy();
    for (const [name, order] of [
      ["a", 10],
      ["b", 20],
      ["c", 29.5],
      ["d", 29.5],
    ] as const) {
      deployment.section({ name, order, text: name });
    }
    const agent = await deployment.agent("agent");
    const session = await agent.session("chat");
    await session.turn().surface().prompt;
    await session.turn().surface().prompt;
    expect(logged).toEqual([
      'the prompt sections "b" (order 20) and "c" (order 29.5) are nearer than 10: leave room for a section between them',
      'the prompt sections "c" (order 29.5) and "d" (order 29.5) are nearer than 10: leave room for a section between them',
    ]);
    expect(deployment.warnings).toEqual(logged.map((message) => ({ kind: "prompt", message })));
  });

  it("P2 draws its warnings in the scope that the agent was composed in, and no end of them", async () => {
    const { deployment, logged } = deploy();
    let request = 0;
    deployment.adjust(() => {
      request += 1;
      return [0, 1].map((order) => ({ name: `${order}-${request}`, order, text: "text" }));
    });
    const narrow = deployment.scope("narrow");
    const agent = await narrow.agent("agent");
    await using session = await agent.session("chat");
    for (let turn = 0; turn <= 200; turn += 1) await session.turn().surface().prompt;
    expect([deployment.warnings.length, narrow.warnings.length, logged.length]).toEqual([0, 200, 200]);
    expect(narrow.warnings[199]?.message).toContain('"0-200" (order 0) and "1-200" (order 1)');
  });
});

describe("a complete section", () => {
  it("P4 replaces everything by exactly its text, variables filled, and nothing else is asked for anything", async () => {
    const { deployment } = deploy();
    const asked = vi.fn<() => string>(() => "fed");
    deployment.identity("I am.");
    deployment.persona({ prefix: "before", suffix: "after" });
    deployment.context({ name: "now", text: asked });
    deployment.variable("unused", asked);
    deployment.section({ name: "other", order: 10, text: asked });
    deployment.adjust("adjuster", () => {
      asked();
      return [];
    });
    deployment.toolOrder(["refused were it looked at"]);
    addTool(deployment, "t");
    deployment.section({ name: "all", order: 20, text: "\n Model: {{model}}\n", complete: true });
    const { text, parts, context } = await promptOf(deployment, { model: "m-1" });
    expect(text).toBe("\n Model: m-1\n");
    expect(parts).toEqual([{ kind: "section", name: "all", text, tokens: 4 }]);
    expect(context).toBeUndefined();
    expect(asked).not.toHaveBeenCalled();
  });

  it("P4 keeps its braces where it says so", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "all", order: 20, text: "{{ as it is }}", complete: true, fill: false });
    expect(await textOf(deployment)).toBe("{{ as it is }}");
  });

  it("P4 refuses a second one, naming both in the order of placement", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "late", order: 20, text: "late", complete: true });
    const narrow = deployment.scope("narrow");
    narrow.section({ name: "early", order: 10, text: "early", complete: true });
    narrow.section({ name: "between", order: 15, text: "between" });
    await expect(promptOf(narrow)).rejects.toMatchObject({
      code: "prompt_invalid",
      message: "multiple complete prompt sections are active: early, late",
    });
    expect(await textOf(deployment)).toBe("late");
    narrow.section({ name: "late", order: 20, text: "no longer complete" });
    expect(await textOf(narrow)).toBe("early");
  });
});

describe("a section that is asked for its text", () => {
  it("P1 sees the request", async () => {
    const { deployment } = deploy();
    const seen: unknown[] = [];
    deployment.section({
      name: "asked",
      order: 10,
      text: async ({ signal, ...request }) => {
        seen.push(request, Object.isFrozen(request), signal.aborted);
        return "answered";
      },
    });
    const given = { model: "m-1", workingFolder: "/w", text: "hello", activity: "plan" };
    expect(await textOf(deployment, given)).toBe("answered");
    const request = { ...given, tenant: "acme", identity: { user: "u1" }, session: "chat", turn: 1 };
    expect(seen).toEqual([request, false, false]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no disk");
      },
      "no disk",
    ],
    ["rejects with what cannot be printed", () => Promise.reject(Object.create(null) as Error), "unprintable error"],
    ["gives a number", () => 5 as unknown as string, "it must give text or undefined, got 5"],
    ["gives null", async () => null as unknown as string, "it must give text or undefined, got null"],
  ])("P1 refuses the assembly, by name, where it %s", async (_, text, why) => {
    const { deployment } = deploy();
    deployment.section({ name: "asked", order: 10, text });
    await expect(promptOf(deployment)).rejects.toMatchObject({
      code: "prompt_failed",
      message: `prompt section "asked" failed: ${why}`,
    });
  });

  it("P1 refuses the assembly, by name, where it never answers", async () => {
    const { deployment } = deploy();
    deployment.section({ name: "asked", order: 10, text: () => new Promise<string>(() => undefined) });
    expect(await whenLate(deployment)).toMatchObject({
      refused: { code: "prompt_failed", message: 'prompt section "asked" did not answer within 5000 ms' },
      timers: 0,
    });
  });

  it("P1 is given up when the turn's signal comes", async () => {
    const { deployment } = deploy();
    const controller = new AbortController();
    deployment.section({
      name: "asked",
      order: 10,
      text: () => new Promise<string>(() => controller.abort(new Error("stop"))),
    });
    await expect(promptOf(deployment, { signal: controller.signal })).rejects.toThrow("stop");
  });
});

it("P1 P10 a section of 1 MB, full of references, is taken whole", async () => {
  const { deployment } = deploy();
  const count = 100_000;
  deployment.section({ name: "big", order: 10, text: "{{model}} }} {|".repeat(count) });
  deployment.section({ name: "spaces", order: 20, text: `${" ".repeat(1_000_000)}x` });
  const { parts } = await promptOf(deployment, { model: "m" });
  expect(parts.map(({ text }) => text.length)).toEqual(["m }} {|".length * count, 1_000_001]);
});
