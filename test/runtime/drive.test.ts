import { setImmediate as settled } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Outcome } from "../../src/bridge/outcome.ts";
import { bounds, readLimits } from "../../src/limits.ts";
import { drive } from "../../src/runtime/drive.ts";
import type { StartMessage } from "../../src/runtime/protocol.ts";
import type { Sandbox, SandboxUser } from "../../src/runtime/sandbox.ts";

// The clock stands still: all that comes in one turn is read in one slice.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const limits = readLimits({ calls: 10_000 });
const header: StartMessage["header"] = {
  tools: [{ name: "echo" }],
  seed: [1, 2, 3, 4],
  now: 0,
  state: "{}",
  limits: { ...limits, transferBytes: 0, timers: 0 },
};
const start: StartMessage = { program: "run_1", js: "", cpuMs: limits.cpuMs, header };

/** The numbers of settlements in each message to a program that made calls which were then all answered at once with `chars` characters. */
async function messagesFor(calls: number, chars: number): Promise<readonly number[]> {
  const messages: number[] = [];
  let user: SandboxUser | undefined;
  const sandbox = {
    start: (_message: StartMessage, taker: SandboxUser) => void (user = taker),
    settle(lines: readonly string[]) {
      messages.push(lines.length);
      setImmediate(() => user?.onTurn({ cpuMs: 1, end: "-", lines: [`S${lines.length}`, "T99999 1000"] }));
    },
  } as unknown as Sandbox;
  const json = JSON.stringify("x".repeat(chars - 2));
  const open = Promise.withResolvers<Outcome>();
  const driven = drive({
    sandbox,
    seats: {
      again: () => Promise.reject(new Error("none")),
      waiting: () => undefined,
      working: () => undefined,
      release: () => undefined,
    },
    start,
    limits,
    call: () => open.promise,
    console: () => undefined,
    warn: () => undefined,
    delivered: () => undefined,
  });
  user?.onTurn({ cpuMs: 1, end: "-", lines: Array.from({ length: calls }, (_, n) => `C${n + 1} 0 {}`) });
  open.resolve({ status: "ok", effect: "none", json, bytes: chars });
  while (messages.reduce((sum, count) => sum + count, 0) < calls) await settled();
  driven.stop("aborted", "enough");
  await driven.ended;
  return messages;
}

describe("what was settled", () => {
  it("X12 goes to the program in messages of a bounded number", async () => {
    const { settledAtOnce } = bounds;
    expect(await messagesFor(2 * settledAtOnce + 5, 10)).toEqual([settledAtOnce, settledAtOnce, 5]);
  });

  it("X12 goes to the program in messages of a bounded size, the last settlement apart", async () => {
    expect(await messagesFor(5, bounds.settledChars / 2 + 1)).toEqual([2, 2, 1]);
    expect(await messagesFor(3, bounds.settledChars + 1)).toEqual([1, 1, 1]);
  });
});
