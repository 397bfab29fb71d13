import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AnyTool, createDeployment, outcome, type Scope } from "../../src/index.ts";
import { tool, useRuntime } from "./fixture.ts";

const note = "@returns Observed in earlier results, not promised: look before relying on it";
const results: Record<string, unknown> = {
  list: [
    { id: 1, title: "a" },
    { id: 2, title: "b", closed_at: null },
  ],
  odd: "nothing here",
};
const find = tool("find", ({ what }: { what: string }) => results[what], { description: "Finds things" });
const typed = tool("typed", () => ({ id: 1 }), { outputSchema: { type: "object" } });

function deploy(options: Parameters<typeof createDeployment>[0], tools: readonly AnyTool[] = [find]): Scope {
  const deployment = createDeployment(options);
  for (const one of tools) deployment.tool(one);
  return deployment;
}
const declaredIn = (text: string): string => text.slice(text.indexOf("declare const tools"));
const plain = `declare const tools: {
/** Finds things */
find(args?: {}): Promise<Unknown>
};
`;
const observed = `declare const tools: {
/** Finds things
${note} */
find(args?: {}): Promise<{ closed_at?: Unknown; id: number; title: string }[]>
};
`;

describe("learned output types", () => {
  const fixture = useRuntime();

  it("D6 are off unless the host switches them on", async () => {
    const deployment = deploy({});
    await (await deployment.agent("one")).call("find", { what: "list" });
    expect(declaredIn((await deployment.agent("two")).surface().declarations)).toBe(plain);
  });

  it("D6 F4 join the declarations of agents that start later, marked; those of an agent that runs keep their bytes", async () => {
    const deployment = deploy({ learnOutputs: true });
    const first = await deployment.agent("first");
    const before = first.surface();
    await first.call("find", { what: "list" });
    deployment.tool(typed)[Symbol.dispose]();
    const after = first.surface();
    expect([after.declarations, after.hash]).toEqual([before.declarations, before.hash]);
    const next = (await deployment.agent("next")).surface();
    expect(declaredIn(next.declarations)).toBe(observed);
    expect(next.hash).not.toBe(before.hash);
  });

  it("D6 come from results that are ok of tools without an output schema, and of nothing else", async () => {
    const failing = tool("failing", () => {
      throw new Error("no");
    });
    const refused = tool("refused", () => outcome({ status: "error", error: { code: "x", message: "no" } }));
    const planned = tool("planned", () => outcome({ status: "planned", structuredContent: { id: 1 } }));
    const deployment = deploy({ learnOutputs: true }, [failing, refused, planned, typed]);
    const agent = await deployment.agent("one");
    for (const name of ["failing", "refused", "planned", "typed"]) await agent.call(name);
    expect((await deployment.agent("two")).surface().declarations).not.toContain(note);
  });

  it("D6 are kept in a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "learned-"));
    const learnOutputs = { file: join(folder, "learned.json") };
    {
      await using deployment = deploy({ learnOutputs });
      await (await deployment.agent("one")).call("find", { what: "list" });
    }
    const later = deploy({ learnOutputs });
    expect(declaredIn((await later.agent("two")).surface().declarations)).toBe(observed);
    await rm(folder, { recursive: true });
  });

  it("D6 X11 bind no result: another one is no error, and a program that reads it otherwise is never refused", async () => {
    const deployment = deploy({ learnOutputs: true });
    await (await deployment.agent("one")).call("find", { what: "list" });
    const agent = await deployment.agent("two", { form: "code", runtime: fixture.runtime });
    expect(declaredIn(agent.surface().declarations)).toBe(observed);
    const run = await agent.run(
      `const list = await tools.find({ what: "list" });
       const odd = await tools.find({ what: "odd" });
       return [list[0].titel ?? "none", list[0].title.toUpperCase(), odd.toUpperCase(), odd.length, list.totalCount ?? 0];`,
      { check: "refuse" },
    );
    expect(run).toMatchObject({ status: "completed", value: ["none", "A", "NOTHING HERE", 12, 0], warnings: [] });
  });

  it.each([
    ["yes", 'learnOutputs must be true, false or { file }, got "yes"'],
    [{}, "the file of learnOutputs must be text that is not empty, got undefined"],
    [{ path: "x" }, 'learnOutputs has no option "path"; there are file'],
    [{ file: 1 }, "option file of learnOutputs must be text, got 1"],
  ])("D6 an option that is no such thing is refused: %j", (learnOutputs, message) => {
    expect(() => createDeployment({ learnOutputs: learnOutputs as never })).toThrow(
      expect.objectContaining({ code: "invalid_options", message }),
    );
  });
});
