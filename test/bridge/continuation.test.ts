import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { continueFrom, type Continuation } from "../../src/bridge/continuation.ts";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import type { Outcome } from "../../src/bridge/outcome.ts";

const at = 1_000;

interface Made {
  readonly tool: string;
  readonly args: unknown;
  readonly outcome: Outcome | undefined;
}

const ok = (value: unknown, effect: "none" | "done" = "none"): Outcome => {
  const json = JSON.stringify(value);
  return { status: "ok", effect, json, bytes: json.length };
};

/** The log of a program that made these calls one after another. */
function logOf(made: readonly Made[]): JournalEntry[] {
  return made.flatMap(({ tool, args, outcome }, index) => {
    const call = index + 1;
    const ask: JournalEntry = {
      kind: "ask",
      call,
      seq: call,
      caller: "program",
      tool,
      source: "host",
      args: JSON.stringify(args),
      at,
    };
    const intent: JournalEntry = { kind: "intent", call, attempt: 1, at };
    return outcome === undefined ? [ask, intent] : [ask, intent, outOf(call, outcome)];
  });
}

function outOf(call: number, outcome: Outcome): JournalEntry {
  const spans = { queuedMs: 0, ranMs: 1, humanMs: 0, at };
  return "json" in outcome
    ? {
        kind: "out",
        call,
        ...spans,
        status: outcome.status,
        effect: outcome.effect,
        json: outcome.json,
        bytes: outcome.bytes,
      }
    : { kind: "out", call, ...spans, status: outcome.status, effect: outcome.effect, failure: outcome.failure };
}

const ask = (continuation: Continuation, tool: string, args: unknown, writes: boolean) =>
  continuation.reuse({ tool, source: "host", args: JSON.stringify(args), writes });

describe("what a former run completed", () => {
  const former = logOf([
    { tool: "get", args: { id: 1 }, outcome: ok("a") },
    { tool: "set", args: { id: 1, to: "b" }, outcome: ok("set", "done") },
    { tool: "get", args: { id: 1 }, outcome: ok("b") },
    {
      tool: "send",
      args: { to: "x" },
      outcome: { status: "error", effect: "none", failure: { code: "no", message: "no" } },
    },
  ]);

  it("X8 is answered from its record, reads as far as the same writes came before them", () => {
    const continuation = continueFrom("run_1", former);
    expect(ask(continuation, "get", { id: 1 }, false)).toEqual({ outcome: ok("a"), callId: "run_1.1" });
    expect(ask(continuation, "get", { id: 1 }, false)).toBeUndefined();
    expect(ask(continuation, "set", { to: "b", id: 1 }, true)).toEqual({
      outcome: ok("set", "done"),
      callId: "run_1.2",
    });
    expect(ask(continuation, "get", { id: 1 }, false)).toEqual({ outcome: ok("b"), callId: "run_1.3" });
    expect(ask(continuation, "send", { to: "x" }, true)).toBeUndefined();
    expect(continuation.warnings()).toEqual([
      "get ran while completed writes of run_1 were still to come, so it saw what they had done",
    ]);
  });

  it("X8 is told of where the new program does not ask for it", () => {
    const continuation = continueFrom("run_1", former);
    ask(continuation, "get", { id: 1 }, false);
    expect(continuation.warnings()).toEqual([
      "run_1 completed writes that this program did not ask for: #2 set; they stay done",
    ]);
  });

  it("X8 is told of where it is asked for in another order", () => {
    const two = logOf([
      { tool: "set", args: { id: 1 }, outcome: ok("first", "done") },
      { tool: "set", args: { id: 2 }, outcome: ok("second", "done") },
    ]);
    const continuation = continueFrom("run_1", two);
    expect(ask(continuation, "set", { id: 2 }, true)?.outcome).toEqual(ok("second", "done"));
    expect(ask(continuation, "set", { id: 1 }, true)?.outcome).toEqual(ok("first", "done"));
    expect(continuation.warnings()).toEqual(["writes of run_1 were asked for in another order, from #1 set on"]);
  });

  it("X8 J6 a write of which it is not known whether it took effect stays unknown", () => {
    const continuation = continueFrom("run_1", logOf([{ tool: "send", args: {}, outcome: undefined }]));
    const unknown = { status: "unknown", effect: "unknown", failure: { code: "outcome_unknown" } };
    expect(ask(continuation, "send", {}, true)?.outcome).toMatchObject(unknown);
    expect(ask(continuation, "send", {}, true)).toBeUndefined();
  });

  it("X8 J6 a read that was interrupted is made again", () => {
    const continuation = continueFrom("run_1", logOf([{ tool: "get", args: {}, outcome: undefined }]));
    expect(ask(continuation, "get", {}, false)).toBeUndefined();
  });

  it("X8 a read beside which a write ran is made again", () => {
    const entries: JournalEntry[] = [
      ...logOf([{ tool: "get", args: {}, outcome: undefined }]),
      { kind: "ask", call: 2, seq: 2, caller: "program", tool: "set", source: "host", args: "{}", at },
      { kind: "intent", call: 2, attempt: 1, at },
      outOf(1, ok("before or after")),
      outOf(2, ok("set", "done")),
    ];
    expect(ask(continueFrom("run_1", entries), "get", {}, false)).toBeUndefined();
  });
});

describe("edited programs over a small world", () => {
  type Op = { readonly tool: "get" | "add" | "set" | "remove"; readonly key: string; readonly by: number };
  const op = fc.record<Op>({
    tool: fc.constantFrom("get", "add", "set", "remove"),
    key: fc.constantFrom("a", "b"),
    by: fc.constantFrom(1, 2),
  });
  type World = Map<string, number>;

  function perform(world: World, { tool, key, by }: Op): unknown {
    const was = world.get(key);
    if (tool === "add") world.set(key, (was ?? 0) + by);
    else if (tool === "set") world.set(key, by);
    else if (tool === "remove") world.delete(key);
    return tool === "get" || tool === "add" ? (world.get(key) ?? null) : (was ?? null);
  }

  const initial = (): World => new Map([["a", 5]]);
  const argsOf = ({ tool, key, by }: Op): unknown => (tool === "get" || tool === "remove" ? { key } : { key, by });
  const writes = ({ tool }: Op): boolean => tool !== "get";

  const edit = fc.record({ at: fc.nat(9), remove: fc.nat(2), insert: fc.array(op, { maxLength: 2 }) });

  it("X8 what differs from the new program on its own is told, always", () => {
    fc.assert(
      fc.property(
        fc.array(op, { minLength: 1, maxLength: 10 }),
        fc.nat(10),
        fc.array(edit, { maxLength: 2 }),
        (first, failedAt, edits) => {
          const world = initial();
          const made = first.slice(0, failedAt).map((one): Made => {
            const value = perform(world, one);
            return { tool: one.tool, args: argsOf(one), outcome: ok(value, writes(one) ? "done" : "none") };
          });
          const second = [...first];
          for (const { at: where, remove, insert } of edits)
            second.splice(Math.min(where, second.length), remove, ...insert);

          const continuation = continueFrom("run_1", logOf(made));
          const values = second.map((one) => {
            const reused = ask(continuation, one.tool, argsOf(one), writes(one));
            if (reused === undefined) return perform(world, one);
            return "json" in reused.outcome ? (JSON.parse(reused.outcome.json) as unknown) : undefined;
          });

          const alone = initial();
          const expected = second.map((one) => perform(alone, one));
          if (continuation.warnings().length > 0) return;
          expect(values).toEqual(expected);
          expect(world).toEqual(alone);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
