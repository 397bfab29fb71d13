import { describe, expect, it } from "vitest";
import { createDeployment, type Turn, ToolError } from "../../src/index.ts";
import { tool, useRuntime } from "./fixture.ts";

const fixture = useRuntime();

interface Counted {
  readonly turn: Turn;
  readonly next: () => Turn;
  readonly counts: { pay: number; read: number; fails: number };
}

async function open(form: "direct" | "both" = "direct"): Promise<Counted> {
  const counts = { pay: 0, read: 0, fails: 0 };
  const deployment = createDeployment();
  deployment.tool(
    tool("pay", ({ amount }: { amount: number }) => ({ receipt: (counts.pay += 1), amount }), { effects: ["write"] }),
  );
  deployment.tool(tool("read", () => (counts.read += 1), { effects: ["read"] }));
  deployment.tool(
    tool(
      "fails",
      () => {
        counts.fails += 1;
        throw new ToolError("locked");
      },
      { effects: ["write"] },
    ),
  );
  const agent = await deployment.agent("agent", { form, runtime: fixture.runtime });
  const session = await agent.session("chat");
  return { turn: session.turn(), next: () => session.turn(), counts };
}

const pay = (id: string, input: object = { amount: 5, to: "x" }): { id: string; name: string; input: object } => ({
  id,
  name: "pay",
  input,
});

describe("a call that the model emits again in one turn", () => {
  it("J3 takes the first one's id and outcome where it may write, whatever the order of its keys", async () => {
    const { turn, counts } = await open();
    const [first] = (await turn.dispatch([pay("t1")])).results;
    const [again] = (await turn.dispatch([pay("t2", { to: "x", amount: 5 })])).results;
    expect(counts.pay).toBe(1);
    expect(first).not.toHaveProperty("deduplicated");
    expect(again).toMatchObject({ id: "t2", isError: false, content: '{"receipt":1,"amount":5}', deduplicated: true });
    const record = turn.record();
    expect(record).toMatchObject([
      { tool: "pay", status: "ok", attempts: 1 },
      {
        tool: "pay",
        status: "ok",
        attempts: 0,
        deduplicated: true,
        decision: { verdict: "allow", code: "deduplicated" },
      },
    ]);
    expect(record[1]?.callId).toBe(record[0]?.callId);
    expect(record[1]?.decision.sentence).toBe(`the same call was made before in this turn: ${record[0]?.callId}`);
    expect(record[0]).not.toHaveProperty("deduplicated");
  });

  it("J3 waits for the first one where both come in one response", async () => {
    const { turn, counts } = await open();
    const { results } = await turn.dispatch([pay("t1"), pay("t2"), pay("t3", { amount: 6 })]);
    expect(results.map(({ content }) => content)).toEqual([
      '{"receipt":1,"amount":5}',
      '{"receipt":1,"amount":5}',
      '{"receipt":2,"amount":6}',
    ]);
    expect(counts.pay).toBe(2);
  });

  it("J3 is the same by its use's id even where it reads; another use of a read runs again", async () => {
    const { turn, counts } = await open();
    const read = (id: string): { id: string; name: string; input: object } => ({ id, name: "read", input: {} });
    expect((await turn.dispatch([read("t1")])).results[0]?.content).toBe("1");
    expect((await turn.dispatch([read("t1")])).results[0]).toMatchObject({ content: "1", deduplicated: true });
    expect((await turn.dispatch([read("t2")])).results[0]).toMatchObject({ content: "2" });
    expect(counts.read).toBe(2);
  });

  it("J3 runs where the first one failed without an effect, but not under the same id", async () => {
    const { turn, counts } = await open();
    const fails = (id: string): { id: string; name: string; input: object } => ({ id, name: "fails", input: {} });
    await turn.dispatch([fails("t1")]);
    expect((await turn.dispatch([fails("t1")])).results[0]).toMatchObject({ isError: true, deduplicated: true });
    expect(counts.fails).toBe(1);
    expect((await turn.dispatch([fails("t2")])).results[0]).not.toHaveProperty("deduplicated");
    expect(counts.fails).toBe(2);
  });

  it("J3 is a call of its own in another turn, and with the id of another call", async () => {
    const { turn, next, counts } = await open();
    await turn.dispatch([pay("t1")]);
    await turn.dispatch([pay("t1", { amount: 7 })]);
    await next().dispatch([pay("t1")]);
    expect(counts.pay).toBe(3);
  });

  it("J3 of a program is the same by its use's id alone", async () => {
    const { turn, counts } = await open("both");
    const program = (id: string): { id: string; name: string; input: object } => ({
      id,
      name: "run_program",
      input: { code: "return await tools.pay({ amount: 1 })" },
    });
    const [first] = (await turn.dispatch([program("t1")])).results;
    const [again] = (await turn.dispatch([program("t1")])).results;
    expect(again).toEqual({ ...first, deduplicated: true });
    expect(counts.pay).toBe(1);
    await turn.dispatch([program("t2")]);
    expect(counts.pay).toBe(2);
  });
});
