// One queue a step. A call takes its place when it is asked for; calls start strictly in that order; an exclusive call runs alone.
// A call that is still being checked holds its place, so nothing behind it starts before it is known to start or to be gone.
import pLimit from "p-limit";
import { Fault } from "../errors.ts";

export interface Place {
  /** Asks to run: `true` at once, or later when it is this call's turn; `false` where it left before. Once only. */
  start(parallelSafe: boolean): true | Promise<boolean>;
  /** Gives the place or the slot up; harmless twice. */
  leave(): void;
}

export interface Scheduler {
  enter(): Place;
  /** Calls in the queue or running. */
  readonly size: number;
}

interface Entry {
  state: "checking" | "ready" | "started" | "gone";
  parallel: boolean;
  /** Tells the call that it runs, or that it left before. */
  begin: (runs: boolean) => void;
  /** Frees the slot of a parallel call. */
  release: () => void;
}

const ignore = (): void => undefined;

/** `cap` is the number of parallel-safe calls that may run at once; throws `invalid_options` unless it is an integer of at least 1. */
export function createScheduler(cap: number): Scheduler {
  if (!Number.isInteger(cap) || cap < 1) {
    throw new Fault("invalid_options", `concurrency must be an integer of at least 1, got ${String(cap)}`);
  }
  const limit = pLimit(cap);
  let queue: Entry[] = [];
  let head = 0;
  let size = 0;
  let parallelHeld = 0;
  let exclusiveHeld = false;

  function hold(entry: Entry): void {
    entry.state = "started";
    if (!entry.parallel) {
      exclusiveHeld = true;
      entry.begin(true);
      return;
    }
    parallelHeld += 1;
    void limit(() => {
      if (entry.state === "gone") return undefined;
      return new Promise<void>((resolve) => {
        entry.release = resolve;
        entry.begin(true);
      });
    });
  }

  function pump(): void {
    while (head < queue.length) {
      const entry = queue[head] as Entry;
      if (entry.state !== "gone") {
        if (entry.state === "checking" || exclusiveHeld || (!entry.parallel && parallelHeld > 0)) break;
        hold(entry);
      }
      head += 1;
    }
    if (head > 64 && head * 2 > queue.length) {
      queue = queue.slice(head);
      head = 0;
    }
  }

  function start(entry: Entry, parallelSafe: boolean): true | Promise<boolean> {
    if (entry.state === "gone") return Promise.resolve(false);
    entry.state = "ready";
    entry.parallel = parallelSafe;
    let runs = false;
    entry.begin = () => {
      runs = true;
    };
    pump();
    if (runs) return true;
    return new Promise((resolve) => {
      entry.begin = resolve;
    });
  }

  function leave(entry: Entry): void {
    if (entry.state === "gone") return;
    const held = entry.state === "started";
    entry.state = "gone";
    size -= 1;
    if (held && entry.parallel) parallelHeld -= 1;
    else if (held) exclusiveHeld = false;
    entry.release();
    entry.begin(false);
    pump();
  }

  return {
    enter() {
      const entry: Entry = { state: "checking", parallel: false, begin: ignore, release: ignore };
      queue.push(entry);
      size += 1;
      return { start: (parallelSafe) => start(entry, parallelSafe), leave: () => leave(entry) };
    },
    get size() {
      return size;
    },
  };
}
