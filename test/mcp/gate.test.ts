import { describe, expect, it } from "vitest";
import { createGate, type Gate, isBroken } from "../../src/mcp/gate.ts";

interface Opened {
  readonly gate: Gate;
  readonly floods: string[];
  readonly wait: (ms: number) => void;
}

function open(): Opened {
  let time = 0;
  const floods: string[] = [];
  const gate = createGate(
    (message) => "result" in (message as object),
    (what) => void floods.push(what),
    () => time,
  );
  return { gate, floods, wait: (ms) => void (time += ms) };
}

const unasked = { jsonrpc: "2.0", method: "notifications/message" };
const admitted = (gate: Gate, message: Readonly<Record<string, unknown>>, times: number): number => {
  let count = 0;
  for (let at = 0; at < times; at += 1) if (gate.admit(message) !== undefined) count += 1;
  return count;
};

describe("what nobody asked for", () => {
  it("M1 may come at a rate, for as long as the server lives", () => {
    const { gate, floods, wait } = open();
    for (let second = 0; second < 100; second += 1) {
      expect(admitted(gate, unasked, 1_000)).toBe(1_000);
      wait(1_000);
    }
    expect(floods).toEqual([]);
  });

  it("M1 in a burst over the budget is a flood, told once, after which nothing is read", () => {
    const { gate, floods, wait } = open();
    gate.sent({ id: 1, method: "tools/call" });
    expect(admitted(gate, unasked, 20_000)).toBe(10_000);
    expect(floods).toEqual(["it sent more than 10000 messages that nobody asked for, faster than 1000 a second"]);
    wait(60_000);
    expect(gate.admit(unasked)).toBeUndefined();
    expect(gate.admit({ id: 1, result: {} })).toBeUndefined();
    expect(floods).toHaveLength(1);
  });

  it("M1 answers to no open request, and progress of none, count as such", () => {
    const { gate, floods } = open();
    expect(admitted(gate, { id: 7, result: {} }, 6_000)).toBe(6_000);
    const progress = { method: "notifications/progress", params: { progressToken: 7 } };
    expect(admitted(gate, progress, 6_000)).toBe(4_000);
    expect(floods).toHaveLength(1);
  });
});

it("M2 progress of an open request is thinned out where it floods, and is no flood", () => {
  const { gate, floods, wait } = open();
  gate.sent({ id: 1, method: "tools/call" });
  const progress = { method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
  expect(admitted(gate, progress, 50_000)).toBe(1_000);
  wait(1_000);
  expect(admitted(gate, progress, 50_000)).toBe(100);
  expect(admitted(gate, unasked, 10_000)).toBe(10_000);
  expect(floods).toEqual([]);
  expect(gate.admit({ id: 1, result: {} })).toEqual({ id: 1, result: {} });
});

describe("answers", () => {
  it("M1 C5 a broken answer to an open request becomes an error of ours, once", () => {
    const { gate } = open();
    gate.sent({ id: 1, method: "tools/call" });
    expect(gate.isOpen(1)).toBe(true);
    const answer = gate.admit({ id: "1", error: null });
    expect(answer).toMatchObject({ id: 1, error: { message: "the server answered with what is no result" } });
    expect(isBroken(answer?.error as { code: number })).toBe(true);
    expect(isBroken(JSON.parse(JSON.stringify(answer?.error)) as { code: number })).toBe(false);
    expect(gate.isOpen(1)).toBe(false);
    expect(gate.admit({ id: 1, error: null })).toEqual({ id: 1, error: null });
  });

  it("M1 a request that we cancelled is no longer open", () => {
    const { gate } = open();
    gate.sent({ id: 1, method: "tools/call" });
    gate.sent({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(gate.isOpen(1)).toBe(false);
  });
});
