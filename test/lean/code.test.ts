import { describe, expect, it } from "vitest";
import { type AnyTool, createDeployment, type Form, type Turn } from "../../src/index.ts";
import { useRuntime } from "../agent/fixture.ts";
import { named } from "./fixture.ts";

const fixture = useRuntime();
const order = {
  type: "object",
  properties: { order: { type: "integer" } },
  required: ["order"],
  additionalProperties: false,
};
const tools: readonly AnyTool[] = [
  named("pay"),
  named("refund_order", {
    description: "Refunds an order and returns the amount.",
    inputSchema: order,
    execute: () => 7,
  }),
  ...Array.from({ length: 60 }, (_, index) => named(`other_${index}`)),
];

async function open(form: Form, indexTokens = 2_000): Promise<() => Turn> {
  const deployment = createDeployment({ lean: { alwaysOn: ["search_tools", "pay"], indexTokens, deferLoading: true } });
  for (const tool of tools) deployment.tool(tool);
  const agent = await deployment.agent("lean", { form, runtime: fixture.runtime });
  const session = await agent.session("chat");
  return () => session.turn();
}

async function value(turn: Turn, code: string): Promise<unknown> {
  const run = await turn.run(code);
  if (run.status !== "completed") throw new Error(run.toModel());
  return run.value;
}

describe("a lean surface in code form", () => {
  it("T8 D4 the code tool declares what is always on and names the rest, under a budget, and finding changes nothing", async () => {
    const turn = (await open("code"))();
    const { codeTool, declarations, tools: direct, deferring } = turn.surface();
    expect(direct).toEqual([]);
    expect(deferring).toBeUndefined();
    expect(codeTool?.description).toContain(declarations.trimEnd());
    expect(codeTool?.description).toContain("Never guess a tool's name.");
    expect([...declarations.matchAll(/^(\w+)\(args/gm)].map(([, name]) => name)).toEqual(["search_tools", "pay"]);
    expect(declarations).toContain(
      "// COMPLETE, 63 of 63 tools: 2 in full, 61 by name. What is only named is not bound: search for it.",
    );
    await value(turn, 'return (await tools.search_tools({ query: "refund order" })).bound');
    expect(turn.surface().codeTool).toEqual(codeTool);
    const short = (await open("code", 100))().surface().declarations;
    expect(/^\/\/ PARTIAL, (\d+) of 63 tools: 2 in full, \d+ by name\./m.exec(short)).not.toBeNull();
    expect(short.slice(short.indexOf("// deployment: ")).length).toBeLessThanOrEqual(400);
  });

  it("T8 T10 G13 a found tool comes with its declaration, and is callable in the next program by name", async () => {
    const turn = (await open("code"))();
    const guessed = await turn.run("return await tools.refund_order({ order: 1 })");
    expect(guessed).toMatchObject({
      status: "failed",
      calls: [],
      error: {
        code: "type_error",
        message: 'the tool "refund_order" is not bound',
        hint: "refund_order is not bound: a search with search_tools that finds it binds it",
      },
    });
    const unknown = await turn.run("return await tools.no_such_thing({ order: 1 })");
    expect(unknown).toMatchObject({ error: { code: "type_error", message: 'there is no tool "no_such_thing"' } });
    expect(await value(turn, 'return await tools.search_tools({ query: "refund order" })')).toEqual({
      text: 'Matches for "refund order":\n- refund_order [core] — Refunds an order and returns the amount.\nBound for your next step: refund_order',
      hits: [{ name: "refund_order", kind: "core", description: "Refunds an order and returns the amount." }],
      bound: ["refund_order"],
      declarations:
        "declare const tools: {\n/** Refunds an order and returns the amount. */\nrefund_order(args: { order: number }): Promise<Unknown>\n};",
    });
    expect(await value(turn, "return await tools.refund_order({ order: 1 })")).toBe(7);
    const wrong = await turn.run('return await tools.refund_order({ order: "1" })');
    expect(wrong).toMatchObject({ status: "failed", error: { code: "type_error" } });
  });

  it.each([
    ["direct", ["both_ways", "direct_only"], ["both_ways", "direct_only"]],
    ["code", ["both_ways", "code_only"], []],
    ["both", ["both_ways", "code_only", "direct_only"], ["both_ways", "direct_only"]],
  ] as const)(
    "T3 S10 in form %s what the model cannot call at all is neither found nor bound",
    async (form, found, shown) => {
      const deployment = createDeployment({ lean: { alwaysOn: ["search_tools"] } });
      const widget = { description: "Returns a widget." };
      deployment.tool(named("both_ways", widget));
      deployment.tool(named("code_only", { ...widget, callers: ["code"] }));
      deployment.tool(named("direct_only", { ...widget, callers: ["direct"] }));
      const session = await (await deployment.agent("lean", { form, runtime: fixture.runtime })).session("chat");
      const turn = session.turn();
      const outcome = await turn.call("search_tools", { query: "widget" });
      expect(outcome).toMatchObject({ value: { bound: found } });
      expect(turn.surface().tools.map(({ name }) => name)).toEqual(form === "code" ? [] : ["search_tools", ...shown]);
      expect(await turn.call("code_only")).toMatchObject({ status: "ok" });
      if (form === "code") return;
      const { results } = await turn.dispatch([{ id: "1", name: "code_only", input: {} }]);
      expect(results[0]?.content).toMatch(
        /^no tool "code_only" is offered here \[tool_not_offered\]\nHint: (?!code_only)/,
      );
    },
  );

  it("T8 the program that searched calls what it found by computed name, and nothing else", async () => {
    const turn = (await open("code"))();
    const code = `
      const { bound, hits } = await tools.search_tools({ query: "refund order" });
      const name = bound[0];
      const paid = await tools[name]({ order: 1 });
      const other = await tools["other_" + 1]({}).catch((error) => error.code);
      return { paid, other, first: await tools[hits[0].name]({ order: 2 }) };`;
    expect(await value(turn, code)).toEqual({ paid: 7, other: "tool_not_offered", first: 7 });
  });

  it("G13 T3 a name that only another program of the turn found is not callable in one that runs already", async () => {
    const turn = (await open("code"))();
    expect(await value(turn, 'return tools["refund_" + "order"]({ order: 1 }).catch((error) => error.hint)')).toBe(
      "refund_order is not bound: a search with search_tools that finds it binds it",
    );
  });

  it("T8 in both forms a direct search binds for direct calls and programs", async () => {
    const turn = (await open("both"))();
    const search = await turn.dispatch([{ id: "1", name: "search_tools", input: { query: "refund order" } }]);
    expect(search.results[0]?.content).toMatch(/^Matches for "refund order":\n/);
    const { results } = await turn.dispatch([
      { id: "2", name: "refund_order", input: { order: 1 } },
      { id: "3", name: "run_program", input: { code: "return await tools.refund_order({ order: 1 })" } },
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
  });
});
