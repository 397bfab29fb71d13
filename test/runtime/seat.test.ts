import { setImmediate as settled } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bounds, readLimits } from "../../src/limits.ts";
import type { StartMessage } from "../../src/runtime/protocol.ts";
import type { Gone, Sandbox, SandboxUser } from "../../src/runtime/sandbox.ts";
import { openSeat, type Seat } from "../../src/runtime/seat.ts";
import { inSlices } from "../../src/runtime/slices.ts";

/** The only clock here: it stands still but for this. */
const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const limits = readLimits({ cpuMs: 1_000 });
const start: StartMessage = {
  program: "run_1",
  js: "async () => 1",
  cpuMs: limits.cpuMs,
  header: {
    tools: [{ name: "echo" }],
    seed: [1, 2, 3, 4],
    now: 5_000_000_000_000,
    state: "{}",
    limits: {
      calls: 10,
      argumentBytes: 100,
      consoleBytes: 100,
      returnBytes: 100,
      stateBytes: 100,
      transferBytes: 100,
      timers: 10,
    },
  },
};
const crash: Gone = { code: "sandbox_crashed", message: "the sandbox process died (SIGKILL)" };

/** A process that says what the test tells it to. */
interface Fake {
  readonly sandbox: Sandbox;
  turn(cpuMs: number, ...lines: string[]): void;
  gone(gone: Gone): void;
}

/** A seat on fake processes, with everything that happens to it, in order. */
interface Bench {
  readonly seat: Seat;
  readonly log: string[];
  readonly fakes: readonly Fake[];
  /** The last process that somebody sits in. */
  readonly last: Fake;
  park(): void;
}

function open(): Bench {
  const log: string[] = [];
  const fakes: Fake[] = [];
  let onPark: (() => void) | undefined;
  const nameOf = (sandbox: Sandbox): string => `#${fakes.findIndex((fake) => fake.sandbox === sandbox) + 1}`;

  function make(): Sandbox {
    let user: SandboxUser | undefined;
    const name = `#${fakes.length + 1}`;
    const sandbox = {
      start(message: StartMessage, taker: SandboxUser) {
        user = taker;
        log.push(`${name} start ${message.program}`);
      },
      settle: (lines: readonly string[], chargedMs: number) =>
        void log.push(`${name} settle [${lines.join(", ")}] at ${chargedMs} ms`),
    } as unknown as Sandbox;
    fakes.push({
      sandbox,
      turn: (cpuMs, ...lines) => user?.onTurn({ cpuMs, end: "-", lines }),
      gone: (gone) => user?.onGone(gone),
    });
    return sandbox;
  }

  const seat = openSeat({
    sandbox: make(),
    seats: {
      async again() {
        log.push("again");
        return make();
      },
      waiting(sandbox, park) {
        onPark = park;
        log.push(`${nameOf(sandbox)} waits`);
      },
      working: (sandbox) => void log.push(`${nameOf(sandbox)} works`),
      release: (sandbox, clean) => void log.push(`${nameOf(sandbox)} released ${clean ? "clean" : "dead"}`),
    },
    start,
    limits,
    onLine: (line) => void log.push(`heard ${line.kind}`),
    onListen: () => void log.push("listens"),
    onFault: ({ code, message }) => void log.push(`fault ${code}: ${message}`),
    warn: (text) => void log.push(`warning: ${text}`),
    delivered: (first, now, seqs) => void log.push(`delivered ${first} at ${now}: ${seqs.join(" ")}`),
  });
  return {
    seat,
    log,
    fakes,
    get last() {
      return fakes.at(-1) as Fake;
    },
    park: () => onPark?.(),
  };
}

/** A program that made a call and a line of console, got the answer of the call, and waits for the next one. */
function openWaiting(): Bench {
  const bench = open();
  bench.last.turn(3, "C1 0 {}", 'Llog "a"');
  bench.seat.deliver([{ seq: 1, kind: "ok", json: "10" }]);
  bench.last.turn(7, "S1", "C2 0 {}");
  bench.seat.rest();
  bench.log.length = 0;
  return bench;
}

describe("the process of a program", () => {
  it("X18 J1 is told of each turn once, in order, the delivery before what it led to", () => {
    const { seat, log, last } = open();
    last.turn(3, "C1 0 {}", 'Llog "a"');
    seat.rest();
    seat.deliver([{ seq: 1, kind: "ok", json: "10" }]);
    last.turn(7, "S1", "C2 0 {}");
    const spent = seat.leave(true);
    expect(spent).toMatchObject({ cpuMs: 7, queueMs: 0 });
    expect(log).toEqual([
      "#1 start run_1",
      "heard call",
      "heard console",
      "listens",
      "#1 waits",
      "#1 works",
      "#1 settle [1 ok 5000000000000 10] at 3 ms",
      "delivered 1 at 5000000000000: 1",
      "heard call",
      "listens",
      "#1 released clean",
    ]);
  });

  it("X18 is given up when asked, and the program repeated in another one when something is to be told", async () => {
    const bench = openWaiting();
    const { seat, log } = bench;
    bench.park();
    bench.park();
    expect(log).toEqual(["#1 released clean"]);
    seat.deliver([{ seq: 2, kind: "ok", json: "20" }]);
    await settled();
    bench.last.turn(4, "C1 0 {}", 'Llog "a"');
    bench.last.turn(900, 'W "only a hint"', "S1", "C2 0 {}");
    expect(log.slice(1)).toEqual([
      "again",
      "#2 start run_1",
      "#2 settle [1 ok 5000000000000 10] at 0 ms",
      // The repetition is not charged: the program goes on with what it had used.
      "#2 settle [2 ok 5000000000000 20] at 7 ms",
    ]);
    bench.last.turn(8, "S1", "R 3");
    expect(log.slice(5)).toEqual(["delivered 2 at 5000000000000: 2", "heard value", "listens"]);
    expect(seat.leave(true).cpuMs).toBe(8);
  });

  it("X18 C11 waiting is idle time, being without a process while there is something to tell is queueing", async () => {
    const bench = open();
    pass(1);
    bench.last.turn(1, "C1 0 {}");
    bench.seat.rest();
    pass(10);
    bench.park();
    pass(100);
    bench.seat.deliver([{ seq: 1, kind: "ok", json: "10" }]);
    pass(1_000);
    await settled();
    pass(10_000);
    bench.last.turn(500, "C1 0 {}");
    pass(7);
    expect(bench.seat.leave(false)).toEqual({ cpuMs: 1 + 7, idleMs: 110, queueMs: 11_000 });
  });

  it("X13 that crashes while the program waits is replaced once there is something to tell, with one warning", async () => {
    const bench = openWaiting();
    bench.last.gone(crash);
    expect(bench.log).toEqual(["#1 released dead"]);
    bench.seat.deliver([{ seq: 2, kind: "fire", json: "" }]);
    await settled();
    bench.last.turn(4, "C1 0 {}", 'Llog "a"');
    bench.last.turn(5, "S1", "C2 0 {}");
    expect(bench.log.slice(1)).toEqual([
      "again",
      "#2 start run_1",
      "#2 settle [1 ok 5000000000000 10] at 0 ms",
      "warning: the sandbox process died (SIGKILL); the program was repeated in another one and went on, and no call was made twice",
      "#2 settle [2 fire 5000000000000] at 7 ms",
    ]);
  });

  it("X13 that crashes while it computes is replaced at once, and what it had not answered is told again", async () => {
    const bench = openWaiting();
    bench.seat.deliver([{ seq: 2, kind: "ok", json: "20" }]);
    bench.last.gone(crash);
    await settled();
    bench.last.turn(4, "C1 0 {}", 'Llog "a"');
    bench.last.turn(5, "S1", "C2 0 {}");
    expect(bench.log.at(-1)).toBe("#2 settle [2 ok 5000000000000 20] at 7 ms");
    expect(bench.log.filter((line) => line.startsWith("delivered"))).toEqual([]);
  });

  it("X13 that crashes before anything was heard is replaced by one that starts anew", async () => {
    const bench = open();
    bench.last.gone(crash);
    await settled();
    bench.last.turn(3, "C1 0 {}");
    expect(bench.log.filter((line) => !line.startsWith("warning"))).toEqual([
      "#1 start run_1",
      "#1 released dead",
      "again",
      "#2 start run_1",
      "heard call",
      "listens",
    ]);
  });

  it("X13 that crashes a second time ends the program, whether it computed, was repeated or waited", async () => {
    const second = "fault sandbox_crashed: the sandbox process died (SIGKILL), the second one under this program";
    const repeating = openWaiting();
    repeating.last.gone(crash);
    repeating.seat.deliver([{ seq: 2, kind: "ok", json: "20" }]);
    await settled();
    repeating.last.turn(4, "C1 0 {}", 'Llog "a"');
    repeating.last.gone(crash);
    expect(repeating.log.at(-1)).toBe(second);

    const waiting = open();
    waiting.last.gone(crash);
    await settled();
    waiting.last.turn(3, "C1 0 {}");
    waiting.last.gone(crash);
    expect(waiting.log.at(-1)).toBe(second);
  });

  it("X13 that died before it took the program does not count, however often", async () => {
    const bench = openWaiting();
    bench.last.gone(crash);
    bench.seat.deliver([{ seq: 2, kind: "ok", json: "20" }]);
    await settled();
    for (let spare = 0; spare < 3; spare += 1) {
      bench.last.gone({ ...crash, untaken: true });
      await settled();
    }
    bench.last.turn(4, "C1 0 {}", 'Llog "a"');
    bench.last.turn(5, "S1", "C2 0 {}");
    expect(bench.log.slice(-3)).toEqual([
      "#5 settle [1 ok 5000000000000 10] at 0 ms",
      "warning: the sandbox process died (SIGKILL); the program was repeated in another one and went on, and no call was made twice",
      "#5 settle [2 ok 5000000000000 20] at 7 ms",
    ]);
    expect(bench.log.filter((line) => line.startsWith("fault"))).toEqual([]);
  });

  it("X13 that never takes the program is not replaced for ever", async () => {
    const bench = open();
    for (let spare = 0; spare <= bounds.untakenProcesses + 1; spare += 1) {
      bench.last.gone({ ...crash, untaken: true });
      await settled();
    }
    expect(bench.log.at(-1)).toBe(
      "fault sandbox_crashed: the sandbox process died (SIGKILL), the second one under this program",
    );
  });

  it("X12 X13 that ended a limit or broke the protocol is not replaced", () => {
    const bench = openWaiting();
    bench.last.gone({ code: "memory_limit", message: "too much memory" });
    expect(bench.log).toEqual(["fault memory_limit: too much memory"]);
  });

  it.each([
    ["other arguments", ['C1 0 {"other":1}', 'Llog "a"'], "it asked for other things, or in another order"],
    [
      "one call more",
      ["C1 0 {}", "C9 0 {}", 'Llog "a"'],
      "it made 3 requests and 1 line of console where it had made 2 requests and 1 line of console",
    ],
    [
      "less console",
      ["C1 0 {}"],
      "it made 2 requests and 0 lines of console where it had made 2 requests and 1 line of console",
    ],
    ["an end", ["R 1"], "it made 1 request and 0 lines of console where it had made 2 requests and 1 line of console"],
  ])("X13 a repetition with %s ends the program, and nothing of it gets out", async (_what, lines, difference) => {
    const bench = openWaiting();
    bench.park();
    bench.seat.deliver([{ seq: 2, kind: "ok", json: "20" }]);
    await settled();
    bench.last.turn(4, ...lines);
    bench.last.turn(5, "S1", "C2 0 {}");
    expect(bench.log.slice(1)).toEqual([
      "again",
      "#2 start run_1",
      "#2 settle [1 ok 5000000000000 10] at 0 ms",
      `fault replay_diverged: the program had to be repeated in another sandbox process and did not do the same again: ${difference}`,
    ]);
  });

  it("X13 what was heard before a crash is read to its end, however long it is", async () => {
    let heard = 0;
    const slow = open();
    slow.last.turn(1, "C1 0 {}");
    slow.log.length = 0;
    // A line that takes the host longer than a slice lets the crash be heard before the next one.
    const push = slow.log.push.bind(slow.log);
    slow.log.push = (line) => {
      if (line === "heard console" && heard++ === 0) pass(bounds.sliceMs + 1);
      return push(line);
    };
    slow.seat.deliver([{ seq: 1, kind: "ok", json: "1" }]);
    slow.last.turn(2, "S1", 'Llog "a"', 'Llog "b"', "R 1");
    slow.last.gone(crash);
    await settled();
    expect(slow.log.slice(2)).toEqual(["heard console", "#1 released dead", "heard console", "heard value", "listens"]);
  });

  it("X13 X18 a program that was given too much keeps its process, and a crash is its end", () => {
    const bench = open();
    bench.last.turn(1, `C1 0 "${"x".repeat(bounds.tapeChars)}"`);
    bench.seat.rest();
    bench.last.gone(crash);
    expect(bench.log.slice(1)).toEqual([
      "heard call",
      "listens",
      "#1 released dead",
      "fault sandbox_crashed: the sandbox process died (SIGKILL), and the program had been given too much to be repeated in another",
    ]);
  });

  it.each([
    ["computed for long", bounds.parkCpuMs + 1, "C1 0 {}"],
    ["said much", 1, `C1 0 "${"x".repeat(bounds.parkChars)}"`],
  ])("X18 a program that %s keeps its process while it waits", (_what, cpuMs, line) => {
    const bench = open();
    bench.last.turn(cpuMs, line);
    bench.seat.rest();
    expect(bench.log).not.toContain("#1 waits");
  });

  it("X12 one that comes after the end goes back", async () => {
    const bench = openWaiting();
    bench.park();
    bench.seat.deliver([{ seq: 2, kind: "ok", json: "20" }]);
    bench.seat.leave(false);
    await settled();
    expect(bench.log).toEqual(["#1 released clean", "again", "#2 released clean"]);
  });
});

describe("work in slices", () => {
  it("X12 lets others have the thread after each slice, in order, and stops when told to", async () => {
    const seen: string[] = [];
    const finished = new Promise<void>((resolve) => {
      const each = (item: number): boolean => {
        seen.push(`item ${item}`);
        setImmediate(() => seen.push(`turn after ${item}`));
        pass(bounds.sliceMs + 1);
        return true;
      };
      inSlices([1, 2], each, () => {
        seen.push("done");
        resolve();
      });
    });
    await finished;
    expect(seen).toEqual(["item 1", "turn after 1", "item 2", "done"]);

    const few: number[] = [];
    inSlices(
      [1, 2, 3],
      (item) => few.push(item) < 2,
      () => few.push(0),
    );
    expect(few).toEqual([1, 2]);
  });
});
