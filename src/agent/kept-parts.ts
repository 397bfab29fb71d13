// The parts of a session that are kept, each with its own way to take in what another process made of it.
import { isObject } from "../is-object.ts";
import type { Bindings } from "../lean/bindings.ts";
import type { Memory } from "../lean/memory.ts";
import type { SessionBooks } from "../policy/authority.ts";
import type { GrantEvent } from "../policy/grants.ts";
import type { PlannedAction } from "../policy/planned.ts";
import type { CallOutcome } from "./outcome.ts";
import type { KeptPart } from "./session-keeper.ts";
import type { SessionState } from "./session-state.ts";

export interface SessionParts {
  readonly state: SessionState;
  readonly books: SessionBooks<CallOutcome>;
  readonly memory: Memory;
  readonly turns: { count: number };
}

export function partsOf({ state, books, memory, turns }: SessionParts): Readonly<Record<string, KeptPart>> {
  const { grants, actions, taintedBy } = books;
  const rest: Record<string, KeptPart> = {
    state: {
      read: () => (state.text() === "{}" ? undefined : state.text()),
      absorb(theirs, before) {
        const text = typeof theirs === "string" ? theirs : "{}";
        void state.merge(typeof before === "string" ? before : "{}", text);
      },
    },
    grants: {
      read: () => some(grants.events()),
      absorb: (theirs) => grants.absorb(listOf(theirs) as readonly GrantEvent[]),
    },
    actions: {
      read: () => some(actions.kept()),
      absorb: (theirs) => actions.absorb(listOf(theirs) as readonly PlannedAction<CallOutcome>[]),
    },
    tainted: {
      read: () => some([...taintedBy]),
      absorb(theirs) {
        for (const source of listOf(theirs)) if (typeof source === "string") taintedBy.add(source);
      },
    },
    found: {
      read: () => some(memory.bindings()),
      absorb: (theirs) => memory.absorb(listOf(theirs) as Bindings),
    },
  };
  return {
    ...rest,
    turns: {
      // Turns alone are not worth a document.
      read: () => (Object.values(rest).some((part) => part.read() !== undefined) ? turns.count : undefined),
      absorb(theirs) {
        if (Number.isSafeInteger(theirs)) turns.count = Math.max(turns.count, theirs as number);
      },
    },
  };
}

const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** What a session wrote: a list of objects or texts. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.filter((item) => isObject(item) || typeof item === "string") : [];
