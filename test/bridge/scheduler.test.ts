import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScheduler, type Place } from "../../src/bridge/scheduler.ts";
import { Fault } from "../../src/errors.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks to start and writes the name down once it does. */
function started(order: string[], name: string, place: Place, parallelSafe: boolean): void {
  const answer = place.start(parallelSafe);
  if (answer === true) order.push(name);
  else void answer.then((runs) => order.push(runs ? name : `${name} left`));
}

describe("scheduler", () => {
  it("Q3 refuses a cap that is less than 1 or no integer", () => {
    for (const cap of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => createScheduler(cap)).toThrow(
        new Fault("invalid_options", `concurrency must be an integer of at least 1, got ${cap}`),
      );
    }
  });

  it("Q1 Q3 parallel-safe calls overlap up to the cap and start in the order asked", async () => {
    const scheduler = createScheduler(2);
    const order: string[] = [];
    const places = ["a", "b", "c", "d"].map((name) => {
      const place = scheduler.enter();
      started(order, name, place, true);
      return place;
    });
    await settled();
    expect(order).toEqual(["a", "b"]);
    places[1]?.leave();
    await settled();
    expect(order).toEqual(["a", "b", "c"]);
    places[0]?.leave();
    places[2]?.leave();
    await settled();
    expect(order).toEqual(["a", "b", "c", "d"]);
    places[3]?.leave();
    expect(scheduler.size).toBe(0);
  });

  it("Q2 an exclusive call waits for all earlier ones, runs alone, and holds back all later ones", async () => {
    const scheduler = createScheduler(10);
    const order: string[] = [];
    const [a, b, x, c] = [scheduler.enter(), scheduler.enter(), scheduler.enter(), scheduler.enter()];
    started(order, "c", c, true);
    started(order, "x", x, false);
    started(order, "a", a, true);
    started(order, "b", b, true);
    await settled();
    expect(order).toEqual(["a", "b"]);
    a.leave();
    await settled();
    expect(order).toEqual(["a", "b"]);
    b.leave();
    await settled();
    expect(order).toEqual(["a", "b", "x"]);
    x.leave();
    await settled();
    expect(order).toEqual(["a", "b", "x", "c"]);
  });

  it("Q2 a call that is still being checked holds its place; one that is refused gives it up", async () => {
    const scheduler = createScheduler(10);
    const order: string[] = [];
    const checked = scheduler.enter();
    started(order, "later", scheduler.enter(), true);
    await settled();
    expect(order).toEqual([]);
    checked.leave();
    await settled();
    expect(order).toEqual(["later"]);
    expect(await checked.start(true)).toBe(false);
  });

  it("Q6 leaving twice, before or after the start, loses no slot", async () => {
    const scheduler = createScheduler(1);
    const order: string[] = [];
    const [a, b, c] = [scheduler.enter(), scheduler.enter(), scheduler.enter()];
    started(order, "a", a, true);
    started(order, "b", b, true);
    started(order, "c", c, true);
    await settled();
    b.leave();
    b.leave();
    a.leave();
    a.leave();
    await settled();
    expect(order).toEqual(["a", "b left", "c"]);
    c.leave();
    expect(scheduler.size).toBe(0);
  });

  it("Q1 Q2 Q3 Q6 holds under every interleaving of asking, starting, finishing and leaving", async () => {
    const command = fc.oneof(
      fc.record({ kind: fc.constant("enter" as const), parallel: fc.boolean() }),
      fc.record({ kind: fc.constantFrom("ready" as const, "leave" as const), at: fc.nat(30) }),
      fc.record({ kind: fc.constant("rest" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(command, { maxLength: 60 }), async (cap, commands) => {
        const scheduler = createScheduler(cap);
        type Seen = { place: Place; parallel: boolean; asked: boolean; running: boolean; gone: boolean };
        const calls: Seen[] = [];
        const starts: number[] = [];

        const onStart = (index: number): void => {
          const call = calls[index] as Seen;
          call.running = true;
          starts.push(index);
          const running = calls.filter((other) => other.running);
          expect(running.length).toBeLessThanOrEqual(cap);
          if (running.some((other) => !other.parallel)) expect(running.length).toBe(1);
          for (const earlier of calls.slice(0, index)) expect(earlier.asked || earlier.gone).toBe(true);
        };
        const ready = (index: number): void => {
          const call = calls[index];
          if (call === undefined || call.asked || call.gone) return;
          call.asked = true;
          const answer = call.place.start(call.parallel);
          if (answer === true) onStart(index);
          else void answer.then((runs) => (runs && !call.gone ? onStart(index) : undefined));
        };
        const leave = (index: number): void => {
          const call = calls[index];
          if (call === undefined) return;
          call.gone = true;
          call.running = false;
          call.place.leave();
        };

        for (const next of commands) {
          if (next.kind === "enter")
            calls.push({
              place: scheduler.enter(),
              parallel: next.parallel,
              asked: false,
              running: false,
              gone: false,
            });
          else if (next.kind === "ready") ready(next.at);
          else if (next.kind === "leave") leave(next.at);
          else await settled();
        }
        for (const index of calls.keys()) ready(index);
        // Whatever came before, every call that did not leave still runs.
        for (let round = 0; round < calls.length; round += 1) {
          await settled();
          for (const [index, call] of calls.entries()) if (call.running) leave(index);
        }
        await settled();
        expect(calls.filter((call) => !call.gone)).toEqual([]);
        expect(scheduler.size).toBe(0);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });
});
