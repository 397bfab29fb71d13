import * as $ from "../../primordials.ts";

/** Guest lines waiting for the host; the shapes are in ../protocol.ts. */
export interface Outbox {
  /** The next number of the one sequence that calls and timers share. */
  next(): number;
  /** `line` holds no line break; gives what `retract` takes. */
  add(line: string): number;
  /** Takes a line back; `false` where it stays. */
  retract(ticket: number): boolean;
  /** What is in it stays, whether it leaves now or later: what is told does not depend on how messages are cut. */
  seal(): void;
  /** A warning for the host to pass on; only the first hundred of a program are kept. */
  warn(text: string): void;
  /** All lines after `head`, where that is not empty. */
  drain(head: string): string;
}

const maxWarnings = 100;

export function createOutbox(): Outbox {
  let seq = 0;
  let warnings = 0;
  let tickets = 0;
  let sealed = 0;
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
    retract: (ticket) => ticket > sealed && $.mapDelete(waiting, ticket),
    seal() {
      sealed = tickets;
    },
    warn(message) {
      warnings += 1;
      if (warnings > maxWarnings) return;
      add(`W ${$.stringify(warnings < maxWarnings ? message : "further warnings of this program are left out")}`);
    },
    drain(head) {
      let drained = head;
      $.mapForEach(waiting, (line) => {
        drained += drained === "" ? line : `\n${line}`;
      });
      waiting = new $.NativeMap<number, string>();
      return drained;
    },
  };
}
