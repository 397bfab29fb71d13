import * as $ from "../../primordials.ts";

/** Guest lines waiting for the host; the shapes are in ../protocol.ts. */
export interface Outbox {
  /** The next number of the one sequence that calls and timers share. */
  next(): number;
  /** `line` holds no line break. */
  add(line: string): void;
  /** A warning for the host to pass on; only the first hundred of a program are kept. */
  warn(text: string): void;
  drain(): string;
}

const maxWarnings = 100;

export function createOutbox(): Outbox {
  let seq = 0;
  let warnings = 0;
  let text = "";
  function add(line: string): void {
    text += text === "" ? line : `\n${line}`;
  }
  return {
    next() {
      seq += 1;
      return seq;
    },
    add,
    warn(message) {
      warnings += 1;
      if (warnings > maxWarnings) return;
      add(`W ${$.stringify(warnings < maxWarnings ? message : "further warnings of this program are left out")}`);
    },
    drain() {
      const drained = text;
      text = "";
      return drained;
    },
  };
}
