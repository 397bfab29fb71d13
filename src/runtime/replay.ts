// Repeats a program in a fresh isolate: gives it what its tape holds and compares what it does with the first time.
import { bounds } from "../limits.ts";
import { settlementLine } from "./protocol.ts";
import { type Course, readCourse, type Tape } from "./tape.ts";

export interface Replay {
  hear(line: string): void;
  /** The settlement lines of the next message; `undefined` once all were given. */
  next(): readonly string[] | undefined;
  /** What the program did otherwise than the first time, in words. */
  difference(): string | undefined;
}

export function createReplay(tape: Tape): Replay {
  const { deliveries } = tape;
  const reader = readCourse();
  let at = 0;
  return {
    hear: (line) => void reader.hear(line),
    next() {
      const lines: string[] = [];
      let chars = 0;
      for (; at < deliveries.length; at += 1) {
        if (lines.length >= bounds.settledAtOnce || chars >= bounds.settledChars) break;
        const { now, settlements } = deliveries[at] as (typeof deliveries)[number];
        for (const settlement of settlements) {
          const line = settlementLine(settlement, now);
          chars += line.length;
          lines.push(line);
        }
      }
      return lines.length === 0 ? undefined : lines;
    },
    difference: () => compare(tape.course(), reader.course()),
  };
}

function compare(first: Course, again: Course): string | undefined {
  if (first.digest === again.digest) return undefined;
  if (first.asks === again.asks && first.printed === again.printed)
    return "it asked for other things, or in another order";
  return `it made ${count(again)} where it had made ${count(first)}`;
}

const count = ({ asks, printed }: Course): string =>
  `${asks} ${asks === 1 ? "request" : "requests"} and ${printed} ${printed === 1 ? "line" : "lines"} of console`;
