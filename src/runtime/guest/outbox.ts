import * as $ from "../../primordials.ts";

/** Guest lines waiting for the host; the shapes are in ../protocol.ts. */
export interface Outbox {
  /** The next number of the one sequence that calls and timers share. */
  next(): number;
  /** `line` holds no line break; gives what `retract` takes. */
  add(line: string): number;
  /** Takes a line back; `false` where it has left already. */
  retract(ticket: number): boolean;
  /** A warning for the host to pass on; only the first hundred of a program are kept. */
  warn(text: string): void;
  drain(): string;
}

const maxWarnings = 100;

export function createOutbox(): Outbox {
  let seq = 0;
  let warnings = 0;
  let tickets = 0;
  let waiting = new $.NativeMap<number, string>();
  function add(line: string): number {
    tickets += 1;
    $.mapSet(waiting, tickets, line);
    return tickets;
  }
  return {
    next() {
      seq += 1;
      return seq;
    },
    add,
    retract: (ticket) => $.mapDelete(waiting, ticket),
    warn(message) {
      warnings += 1;
      if (warnings > maxWarnings) return;
      add(`W ${$.stringify(warnings < maxWarnings ? message : "further warnings of this program are left out")}`);
    },
    drain() {
      let drained = "";
      $.mapForEach(waiting, (line) => {
        drained += drained === "" ? line : `\n${line}`;
      });
      waiting = new $.NativeMap<number, string>();
      return drained;
    },
  };
}
