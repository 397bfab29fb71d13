import { describe, expect, it } from "vitest";
import type { ApprovalCard, AskHost } from "../../src/index.ts";
import { tool, useRuntime } from "../agent/fixture.ts";
import { openFixture } from "../bridge/fixture.ts";
import { open } from "./routes.ts";

const fixture = useRuntime();
const echo = tool("echo", (args: unknown) => args, { effects: ["read"], parallelSafe: true });
const asksAll = { setUp: (scope: { policy: (policy: () => "ask") => unknown }) => scope.policy(() => "ask" as const) };

const listed = ({ items }: ApprovalCard): unknown => items.map(({ args }) => args);

describe("one card", () => {
  it("G14 what a program asks at once is one card, in the order of its calls, however many", async () => {
    const cards: ApprovalCard[] = [];
    const { turn } = await open(fixture, { tools: [echo], ...asksAll });
    const code = `
      const first = await Promise.all(Array.from({ length: 300 }, (_, n) => tools.echo({ n })));
      await tools.echo({ n: "alone" });
      return first.length`;
    const run = await turn.run(code, { ask: (card) => (cards.push(card), true) });
    expect(run).toMatchObject({ status: "completed", value: 300 });
    expect(cards.map(({ items }) => items.length)).toEqual([300, 1]);
    expect(cards[0]?.items.map(({ callId }) => callId)).toEqual(run.calls.slice(0, 300).map(({ callId }) => callId));
    expect(cards.map(({ callId }) => callId)).toEqual([undefined, run.calls[300]?.callId]);
  });

  it("G14 one response of a model is one card, each item answered by itself", async () => {
    const { turn } = await open(fixture, { tools: [echo], ...asksAll });
    const uses = [1, 2, 3, 4].map((n) => ({ id: `use_${n}`, name: "echo", input: { n } }));
    const ask: AskHost = ({ items: [one, two, three] }) => ({
      [one?.callId ?? ""]: "allow",
      [two?.callId ?? ""]: { verdict: "deny", reason: "not two" },
      [three?.callId ?? ""]: { verdict: "edit", args: { n: 33 } },
    });
    const { results } = await turn.dispatch(uses, { ask });
    expect(results.map(({ content }) => content)).toEqual([
      '{"n":1}',
      "a person denied the call: not two [approval_denied]",
      '{"n":33}',
      "a person denied the call: this call was not among the answers [approval_denied]",
    ]);
    expect(turn.record()[2]).toMatchObject({ args: { n: 3 }, ran: { n: 33 }, decision: { code: "edited" } });
  });

  it("G14 the card waits for calls that are still being checked, and for none that was refused", async () => {
    const gate = Promise.withResolvers<"ask">();
    const cards: unknown[] = [];
    const opened = openFixture({
      tools: [echo],
      setUp: (scope) =>
        void scope.policy(({ args }) => {
          const { n } = args as { n: number };
          return n === 1 ? "ask" : n === 2 ? gate.promise : "refuse";
        }),
      ask: (card) => (cards.push(listed(card)), true),
    });
    const calls = [1, 2, 3].map((n) => opened.request("echo", { n }));
    expect(await calls[2]).toMatchObject({ status: "refused" });
    expect(cards).toEqual([]);
    gate.resolve("ask");
    await Promise.all(calls);
    expect(cards).toEqual([[{ n: 1 }, { n: 2 }]]);
    expect(opened.step.open).toBe(0);
  });

  it("G14 C11 a call that is stopped leaves its card, whose signal is aborted once nobody waits", async () => {
    const asked = Promise.withResolvers<ApprovalCard>();
    const stop = [new AbortController(), new AbortController()];
    const opened = openFixture({
      tools: [echo],
      ...asksAll,
      ask: (card) => (asked.resolve(card), new Promise(() => undefined)),
    });
    const calls = stop.map(({ signal }, n) => opened.request("echo", { n }, { signal }));
    const { signal } = await asked.promise;
    stop[0]?.abort();
    expect(await calls[0]).toMatchObject({ status: "cancelled" });
    expect(signal.aborted).toBe(false);
    stop[1]?.abort();
    expect(await calls[1]).toMatchObject({ status: "cancelled" });
    expect(signal.aborted).toBe(true);
  });

  it("G14 a denial is an error that the program can handle", async () => {
    const { turn } = await open(fixture, { tools: [echo], ...asksAll });
    const code = `try { await tools.echo({}) } catch (e) { return [e instanceof ToolError, e.code, e.status, e.effect, e.message] }`;
    expect(await turn.run(code, { ask: () => "rather not" })).toMatchObject({
      value: [true, "approval_denied", "refused", "none", "a person denied the call: rather not"],
    });
  });
});

describe("an edit", () => {
  const pay = tool("pay", ({ amount }: { amount: number }) => amount, {
    inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  });

  it("G14 C1 the new arguments pass policy, guard and schema, and nobody is asked again", async () => {
    let asked = 0;
    const seen: unknown[] = [];
    const answers = [{ amount: 1 }, { amount: "two" }, { amount: 4 }, { amount: 5 }];
    const opened = openFixture({
      tools: [pay],
      setUp(scope) {
        scope.policy(({ args }) => (seen.push(args), (args as { amount: number }).amount === 4 ? "refuse" : "ask"));
        scope.guard("five", ({ args }) => ((args as { amount: number }).amount === 5 ? "no fives" : undefined));
      },
      ask: () => ({ verdict: "edit", args: answers[asked++] }),
    });
    const outcomes = [];
    while (outcomes.length < answers.length) outcomes.push(await opened.request("pay", { amount: 100 }));
    expect(outcomes.map((one) => ("failure" in one ? one.failure.code : one.json))).toEqual([
      "1",
      "arguments_invalid",
      "policy_refused",
      "guard_refused",
    ]);
    expect(asked).toBe(4);
    expect(seen).toEqual([
      { amount: 100 },
      { amount: 1 },
      { amount: 100 },
      { amount: "two" },
      { amount: 100 },
      { amount: 4 },
      { amount: 100 },
      { amount: 5 },
    ]);
    expect(opened.record()[0]).toMatchObject({
      args: { amount: 100 },
      ran: { amount: 1 },
      decision: { verdict: "allow", code: "edited", sentence: "a person approved the call with other arguments" },
    });
  });

  it.each<[unknown, string]>([
    [{ verdict: "edit", args: 5 }, "the edit gave 5 as the arguments"],
    [{ verdict: "edit" }, "the edit gave undefined as the arguments"],
    [42, "the answer was 42, which is none"],
    [[true], "the answer was an array, which is none"],
    [{}, "this call was not among the answers"],
  ])("G14 the answer %j denies", async (answer, reason) => {
    const opened = openFixture({ tools: [echo], ...asksAll, ask: () => answer });
    expect(await opened.request("echo")).toMatchObject({
      failure: { code: "approval_denied", message: `a person denied the call: ${reason}` },
    });
  });

  it("G14 an answer that cannot be read denies", async () => {
    const trap = {
      get verdict() {
        throw new Error("trap");
      },
    };
    const opened = openFixture({ tools: [echo], ...asksAll, ask: () => trap });
    expect(await opened.request("echo")).toMatchObject({
      failure: { code: "approval_denied", message: "a person denied the call: the answer could not be read" },
    });
  });

  it("G14 one edit stands for one call alone", async () => {
    const opened = openFixture({ tools: [echo], ...asksAll, ask: () => ({ verdict: "edit", args: {} }) });
    const outcomes = await Promise.all([opened.request("echo"), opened.request("echo")]);
    expect(outcomes.map((one) => "failure" in one && one.failure.message)).toEqual(
      Array(2).fill("a person denied the call: one edit cannot stand for 2 calls"),
    );
  });

  it("C1 G4 after the wait the guards are asked again and may only refuse", async () => {
    let isOpen = true;
    const opened = openFixture({
      tools: [echo],
      setUp(scope) {
        scope.policy(() => "ask");
        scope.guard("hours", () => (isOpen ? undefined : "closed"));
      },
      ask: () => ((isOpen = false), true),
    });
    expect(await opened.request("echo")).toMatchObject({ failure: { code: "guard_refused" } });
  });
});
