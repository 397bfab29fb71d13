// Timers are events of the host: `T` asks for one, `K` takes it back, a settlement fires it. One that is taken back before the
// host has heard of it is never told: however many a program starts and clears, a turn tells of as many as may be pending.
import { bounds } from "../../limits.ts";
import * as $ from "../../primordials.ts";
import { describe } from "./flatten.ts";
import type { Microtasks } from "./microtasks.ts";
import type { Outbox } from "./outbox.ts";
import { faultBelow } from "./stacks.ts";

type Callback = (...args: never[]) => unknown;
type AnyFunction = (...args: never[]) => unknown;

interface Timer {
  readonly id: number;
  /** Changes each time an interval starts anew. */
  seq: number;
  /** Of its `T` line. */
  ticket: number;
  readonly ms: number;
  readonly repeats: boolean;
  readonly run: () => unknown;
}

export interface Timers {
  /** Starts a timer; `below` is the public function to blame for a bad argument. */
  start(below: AnyFunction, callback: unknown, ms: unknown, repeats: boolean, args: readonly unknown[]): number;
  clear(id: unknown): void;
  /** Runs the callback of a timer that is still set. */
  fire(seq: number): void;
}

/** The host's numbers have at most nine digits. */
const maxMs = 999_999_999;

function delay(ms: unknown, least: number): number {
  const value = $.floor($.toNumber(ms));
  return value > least ? $.min(value, maxMs) : least;
}

export function createTimers(outbox: Outbox, microtasks: Microtasks, maxTimers: number): Timers {
  const byId = new $.NativeMap<number, Timer>();
  const bySeq = new $.NativeMap<number, Timer>();

  function ask(timer: Timer): void {
    $.mapSet(bySeq, timer.seq, timer);
    timer.ticket = outbox.add(`T${timer.seq} ${timer.ms}`);
  }

  return {
    start(below, callback, ms, repeats, args) {
      if (typeof callback !== "function") {
        throw faultBelow(below, $.NativeTypeError, "a timer takes a function to call: setTimeout(() => { ... }, ms)");
      }
      if ($.mapSize(byId) >= maxTimers) {
        throw faultBelow(
          below,
          $.NativeRangeError,
          `a program has at most ${maxTimers} timers at a time: await some of them first`,
        );
      }
      const wait = delay(ms, repeats ? 1 : 0);
      const seq = outbox.next();
      const run =
        args.length === 0
          ? (callback as () => unknown)
          : $.apply($.bind, undefined, bindArguments(callback as Callback, args));
      const timer = { id: seq, seq, ticket: 0, ms: wait, repeats, run };
      $.mapSet(byId, timer.id, timer);
      ask(timer);
      return timer.id;
    },
    clear(id) {
      const timer = typeof id === "number" ? $.mapGet(byId, id) : undefined;
      if (timer === undefined) return;
      $.mapDelete(byId, timer.id);
      $.mapDelete(bySeq, timer.seq);
      if (!outbox.retract(timer.ticket)) outbox.add(`K${timer.seq}`);
    },
    fire(seq) {
      const timer = $.mapGet(bySeq, seq);
      if (timer === undefined) return;
      $.mapDelete(bySeq, seq);
      if (timer.repeats) {
        timer.seq = outbox.next();
        ask(timer);
      } else {
        $.mapDelete(byId, timer.id);
      }
      microtasks.run(timer.run, (reason) =>
        outbox.warn(`a timer callback threw ${describe(reason, bounds.messageChars)}`),
      );
    },
  };
}

function bindArguments(callback: Callback, args: readonly unknown[]): [Callback, unknown, ...unknown[]] {
  const all: [Callback, unknown, ...unknown[]] = [callback, undefined];
  for (let i = 0; i < args.length; i += 1) $.define(all, i + 2, args[i], true);
  return all;
}

/** Installs `setTimeout` and its kin, and `queueMicrotask`. */
export function installTimers(root: object, timers: () => Timers, microtasks: Microtasks, outbox: Outbox): void {
  const setTimeout = (callback?: unknown, ms?: unknown, ...args: unknown[]): number =>
    timers().start(setTimeout, callback, ms, false, args);
  const setInterval = (callback?: unknown, ms?: unknown, ...args: unknown[]): number =>
    timers().start(setInterval, callback, ms, true, args);
  const clearTimeout = (id?: unknown): void => timers().clear(id);
  const clearInterval = (id?: unknown): void => timers().clear(id);
  const queueMicrotask = (callback?: unknown): void => {
    if (typeof callback !== "function") {
      throw faultBelow(queueMicrotask, $.NativeTypeError, "queueMicrotask takes a function to call");
    }
    microtasks.run(callback as () => unknown, (reason) =>
      outbox.warn(`a queueMicrotask callback threw ${describe(reason, bounds.messageChars)}`),
    );
  };
  const made = { setTimeout, setInterval, clearTimeout, clearInterval, queueMicrotask };
  const names = $.keys(made) as (keyof typeof made)[];
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    if (name !== undefined) $.define(root, name, made[name]);
  }
}
