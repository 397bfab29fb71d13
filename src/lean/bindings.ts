// What searches have bound: a state that each recorded search turns into the next, and nothing else. A binding holds for the
// turn that found it and some after it; found again it holds as long anew, in its place; the newest are kept.
import { bounds } from "../limits.ts";

interface Binding {
  readonly name: string;
  /** The turn in which it was last found. */
  readonly turn: number;
  /** Grows with every find. */
  readonly at: number;
}

/** In the order in which they were first found. */
export type Bindings = readonly Binding[];

export const noBindings: Bindings = Object.freeze([]);

const holds = ({ turn }: Binding, now: number): boolean => now - turn <= bounds.boundTurns;

/** The state after a search of that turn found these names. */
export function bindFound(bindings: Bindings, names: readonly string[], turn: number): Bindings {
  let at = Math.max(0, ...bindings.map((binding) => binding.at));
  const kept = new Map(bindings.filter((binding) => holds(binding, turn)).map((binding) => [binding.name, binding]));
  for (const name of names) kept.set(name, { name, turn, at: (at += 1) });
  const oldestFirst = [...kept.values()].toSorted((a, b) => a.at - b.at);
  for (const { name } of oldestFirst.slice(0, Math.max(0, kept.size - bounds.boundTools))) kept.delete(name);
  return Object.freeze([...kept.values()]);
}

/** The names that are bound in a turn, oldest first. */
export const boundIn = (bindings: Bindings, turn: number): readonly string[] =>
  bindings.filter((binding) => holds(binding, turn)).map(({ name }) => name);

/** What two processes know to be bound: of what both found, the later find counts; `mine` come after what is only theirs. */
export function together(mine: Bindings, theirs: Bindings): Bindings {
  const known = new Map(theirs.map((binding) => [binding.name, binding]));
  for (const binding of mine) {
    const other = known.get(binding.name);
    if (other === undefined || binding.turn > other.turn) known.set(binding.name, binding);
  }
  return Object.freeze([...known.values()]);
}
