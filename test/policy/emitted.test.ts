import { describe, expect, it } from "vitest";
import { type BudgetOptions, requestCapability } from "../../src/index.ts";
import type { Turn } from "../../src/index.ts";
import { tool, useRuntime } from "../agent/fixture.ts";
import { open } from "./routes.ts";

const fixture = useRuntime();
const again =
  "look was called with the same arguments again, and nothing has changed since it last answered the same; use that answer, or call it with other arguments";

let uses = 0;

async function emit(turn: Turn, name: string, input: unknown = {}) {
  const { results, ended } = await turn.dispatch([{ id: `use_${(uses += 1)}`, name, input }]);
  return { content: results[0]?.content, isError: results[0]?.isError, ended };
}

describe("the loop guard", () => {
  it("G16 the same call with an unchanged result is refused, and the fourth repeat ends the turn", async () => {
    let ran = 0;
    const look = tool("look", () => ((ran += 1), "same"), { effects: ["read"] });
    const { turn, session } = await open(fixture, { tools: [look] });
    for (const input of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ])
      expect(await emit(turn, "look", input)).toEqual({ content: '"same"', isError: false, ended: undefined });
    for (let repeat = 2; repeat < 4; repeat += 1)
      expect(await emit(turn, "look", { a: 1, b: 2 })).toEqual({
        content: `${again} [repeated_call]`,
        isError: true,
        ended: undefined,
      });
    const ended =
      "the turn ends here: look was called over and over with the same arguments and nothing changed; answer with what there is";
    expect(await emit(turn, "look", { a: 1, b: 2 })).toEqual({
      content: `${again} [repeated_call]`,
      isError: true,
      ended,
    });
    expect(await emit(turn, "look", { a: 9 })).toEqual({ content: `${ended} [turn_ended]`, isError: true, ended });
    expect(await emit(turn, "run_program", { code: "return 1" })).toMatchObject({ content: `${ended} [turn_ended]` });
    expect(ran).toBe(2);
    expect(turn.record().map(({ decision }) => decision.code)).toEqual([
      "allowed",
      "allowed",
      "repeated_call",
      "repeated_call",
      "repeated_call",
      "turn_ended",
    ]);
    expect(await emit(session.turn(), "look", { a: 1, b: 2 })).toMatchObject({ content: '"same"' });
  });

  it("G16 a result that changes, another effect, a grant or another surface in between lets it through", async () => {
    let state = 0;
    const look = tool("look", () => state, { effects: ["read"] });
    const set = tool("set", () => "set", { effects: ["write"] });
    const { turn, session, scope } = await open(fixture, { tools: [look, set, requestCapability()] });
    const looks = async (): Promise<unknown> => (await emit(turn, "look")).content;
    for (let n = 0; n < 4; n += 1) {
      state = n;
      expect(await looks()).toBe(String(n));
    }
    const changes = [
      () => emit(turn, "set", { n: 1 }),
      () => turn.call("set", { n: 2 }),
      () => turn.run("await tools.set({ n: 3 })"),
      () => session.grant({ capability: "mutate" }),
      () => scope.tool(tool("more", () => 1)),
    ];
    for (const change of changes) {
      expect(await looks()).toBe("3");
      expect(await looks()).toContain("repeated_call");
      await change();
      expect(await looks()).toBe("3");
    }
  });

  it("G16 a repeated program is one too, and loops in programs are none", async () => {
    const look = tool("look", () => "same", { effects: ["read"] });
    const { turn } = await open(fixture, { tools: [look] });
    const code = "for (let n = 0; n < 9; n += 1) await tools.look({}); return 1";
    const contents = [];
    for (let n = 0; n < 3; n += 1) contents.push((await emit(turn, "run_program", { code })).isError);
    expect(contents).toEqual([false, false, true]);
  });

  it("G16 after three program errors of one kind the answer carries the declarations in question and a call that works", async () => {
    const look = tool("look", () => "same", {
      effects: ["read"],
      inputSchema: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
        additionalProperties: false,
      },
    });
    const { turn } = await open(fixture, { tools: [look] });
    const contents = [];
    for (const arg of ["x: 1", "y: 1", "z: 1"])
      contents.push((await emit(turn, "run_program", { code: `return await tools.look({ ${arg} })` })).content);
    expect(contents[1]).not.toContain("The declarations in question");
    expect(contents[2]).toMatch(
      /Programs of this turn keep failing in this way\. The declarations in question:\n[^]*look\(args: \{[^]*name: string[^]*A minimal program that works:\nreturn await tools\.look\(\{ name: "\.\.\." \}\);$/,
    );
  });
});

describe("the budget", () => {
  const low = "budget low, finish with what you have";
  const count = (text: string): number => text.split(low).length - 1;
  const echo = tool("echo", (args: unknown) => args, { effects: ["read"] });

  async function emitTen(budget: BudgetOptions) {
    const { turn } = await open(fixture, { tools: [echo], turn: { budget } });
    const contents: string[] = [];
    for (let n = 0; n < 10; n += 1) contents.push((await emit(turn, "echo", { n })).content ?? "");
    return contents;
  }

  it.each<[string, BudgetOptions, number, number]>([
    ["of calls", { calls: 5 }, 3, 5],
    ["of bytes of results", { resultBytes: 35 }, 3, 5],
    ["of tokens", { tokens: 20 }, 3, 5],
    ["with a point of its own", { calls: 5, warnAt: 0.2 }, 0, 5],
    ["at its end", { calls: 5, warnAt: 1 }, 4, 5],
  ])("C14 a budget %s is told of once, and refuses at its end alone", async (_, budget, told, refused) => {
    const contents = await emitTen(budget);
    expect(contents.map(count).indexOf(1)).toBe(told);
    expect(count(contents.join())).toBe(1);
    expect(contents.findIndex((text) => text.includes("[budget_exhausted]"))).toBe(refused);
    expect(contents[told]).toBe(`{"n":${told}}\n\n${low}`);
  });

  it("C14 calls of programs and direct ones count alike, and catching the error resets nothing", async () => {
    const { turn, session } = await open(fixture, { tools: [echo], session: { budget: { calls: 10 } } });
    const code =
      "let ok = 0; for (let n = 0; n < 20; n += 1) await tools.echo({ n }).then(() => (ok += 1), () => 0); return ok";
    expect((await emit(turn, "echo")).content).toBe("{}");
    const { content = "" } = await emit(turn, "run_program", { code });
    expect(content).toMatch(/^Completed\. Value:\n9\n/);
    expect(count(content)).toBe(1);
    expect((await emit(turn, "echo", { n: 1 })).content).toBe(
      "the turn has used up its budget of 10 calls [budget_exhausted]\nHint: make no more calls; finish with what you have",
    );
    const run = await session.turn().run("for (let n = 0; n < 8; n += 1) await tools.echo({ n })");
    expect(run.warnings).toContain(low);
  });

  it.each<[string, unknown]>([
    ["calls of the budget must be an integer from 0, got 1.5", { calls: 1.5 }],
    ["warnAt of the budget must be over 0 and at most 1, got 80", { warnAt: 80 }],
    ['the budget has no option "call"; there are calls, resultBytes, tokens, warnAt', { call: 1 }],
  ])("C14 what is no budget is told: %s", async (message, budget) => {
    const { session } = await open(fixture, { tools: [echo] });
    expect(() => session.turn({ budget: budget as BudgetOptions })).toThrow(message);
  });
});
