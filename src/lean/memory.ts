import type { RunLog } from "../bridge/journal.ts";
import { type Bindings, bindFound, boundIn, noBindings, together } from "./bindings.ts";
import { readSearches, type RecordedSearches } from "./recorded-searches.ts";

/** What the searches of one session bound, as its logs tell. */
export interface Memory {
  add(log: RunLog): void;
  /** What is bound now in that turn, oldest first. */
  boundIn(turn: number): readonly string[];
  /** What is bound by all searches so far. */
  bindings(): Bindings;
  /** Takes in what another process knows to be bound. */
  absorb(theirs: Bindings): void;
  /** Lets go of the logs of a turn that is over. */
  forget(turn: number): void;
}

export function createMemory(): Memory {
  let bindings: Bindings = noBindings;
  let logs: { readonly turn: number; readonly searches: RecordedSearches }[] = [];

  function catchUp(): void {
    for (const { turn, searches } of logs)
      for (const names of searches.next()) bindings = bindFound(bindings, names, turn);
  }

  return {
    add: (log) => void logs.push({ turn: log.header.turn, searches: readSearches(log) }),
    boundIn(turn) {
      catchUp();
      return boundIn(bindings, turn);
    },
    bindings() {
      catchUp();
      return bindings;
    },
    absorb(theirs) {
      catchUp();
      bindings = together(bindings, theirs);
    },
    forget(over) {
      catchUp();
      logs = logs.filter(({ turn }) => turn !== over);
    },
  };
}
