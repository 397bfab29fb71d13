// What a program was given, and a digest of what it sent: enough to bring a fresh isolate to where it stands and to see
// whether it did the same again. Warnings and lost rejections depend on the collector and the counts of settlements on how messages were cut,
// so neither is part of the digest.
import { createHash } from "node:crypto";
import { bounds } from "../limits.ts";
import type { Settlement } from "./protocol.ts";

/** Settlements of one message; `now` in ms since 1970. */
export interface Delivery {
  readonly now: number;
  readonly settlements: readonly Settlement[];
}

/** What a program did so far. */
export interface Course {
  /** Calls and timers asked for, and lines of console. */
  readonly asks: number;
  readonly printed: number;
  readonly digest: string;
}

export interface CourseReader {
  /** Takes a guest line; answers whether it counts. */
  hear(line: string): boolean;
  course(): Course;
}

export interface Tape {
  /** A guest line that was heard for the first time. */
  hear(line: string): void;
  deliver(delivery: Delivery): void;
  readonly deliveries: readonly Delivery[];
  /** Characters given and heard. */
  readonly chars: number;
  /** `false` once it is too long to be repeated; it holds nothing then. */
  readonly isWhole: boolean;
  course(): Course;
}

/** Kept with each settlement, in characters. */
const settlementChars = 64;

const asking: ReadonlySet<string> = new Set(["C", "N", "X", "T"]);

export function readCourse(): CourseReader {
  const hash = createHash("sha256");
  let asks = 0;
  let printed = 0;
  return {
    hear(line) {
      const [kind] = line;
      if (kind === "W" || kind === "J" || kind === "S") return false;
      if (kind === "L") printed += 1;
      else if (kind !== undefined && asking.has(kind)) asks += 1;
      hash.update(`${line}\n`);
      return true;
    },
    course: () => ({ asks, printed, digest: hash.copy().digest("hex") }),
  };
}

export function createTape(): Tape {
  const reader = readCourse();
  let deliveries: Delivery[] = [];
  let chars = 0;
  let isWhole = true;

  function grow(by: number): void {
    chars += by;
    if (chars <= bounds.tapeChars) return;
    isWhole = false;
    deliveries = [];
  }

  return {
    hear(line) {
      if (isWhole && reader.hear(line)) grow(line.length);
    },
    deliver(delivery) {
      if (!isWhole) return;
      deliveries.push(delivery);
      for (const { json } of delivery.settlements) grow(json.length + settlementChars);
    },
    get deliveries() {
      return deliveries;
    },
    get chars() {
      return chars;
    },
    get isWhole() {
      return isWhole;
    },
    course: () => reader.course(),
  };
}
