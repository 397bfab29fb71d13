// The planned actions of one session: what would change the outside and was asked for where nothing may. Each is settled
// once; whoever comes later gets what the first one got.
import { randomUUID } from "node:crypto";
import type { ToolIdentity } from "./grants.ts";

export interface PlannedTerms {
  /** The name under which it was called, and the identity of what is meant by it. */
  readonly tool: string;
  readonly identity: ToolIdentity;
  /** JSON text. */
  readonly args: string;
  /** The real paths that its arguments named, in order. */
  readonly paths: readonly string[];
  readonly turn: number;
  /** That of its turn, from which relative paths are seen. */
  readonly workingFolder?: string;
  readonly callId: string;
  readonly reason?: string;
}

export interface PlannedAction<T = unknown> extends PlannedTerms {
  readonly id: string;
  readonly status: "planned" | "executing" | "settled" | "discarded";
  /** ms since 1970. */
  readonly at: number;
  /** Who confirmed or discarded it. */
  readonly by?: string;
  /** What executing it came to. */
  readonly outcome?: T;
}

export interface PlannedActions<T> {
  add(terms: PlannedTerms): PlannedAction<T>;
  list(): readonly PlannedAction<T>[];
  /**
   * What executing it came to, by whoever confirmed it first; `undefined` where there is no such action, or it was discarded.
   * Where `execute` rejects nothing ran, and the action waits as before.
   */
  confirm(id: string, by: string, execute: (action: PlannedAction<T>) => Promise<T>): Promise<T> | undefined;
  /** False where it is not waiting any more. */
  discard(id: string, by: string): boolean;
}

interface Entry<T> {
  action: PlannedAction<T>;
  outcome?: Promise<T>;
}

export function createPlannedActions<T>(): PlannedActions<T> {
  const entries = new Map<string, Entry<T>>();
  const change = (entry: Entry<T>, fields: Partial<PlannedAction<T>>): PlannedAction<T> =>
    (entry.action = Object.freeze({ ...entry.action, ...fields }));

  return {
    add(terms) {
      const id = `action_${randomUUID().replaceAll("-", "")}`;
      const action = Object.freeze<PlannedAction<T>>({ ...terms, id, status: "planned", at: Date.now() });
      entries.set(id, { action });
      return action;
    },
    list: () => [...entries.values()].map(({ action }) => action),
    confirm(id, by, execute) {
      const entry = entries.get(id);
      if (entry === undefined || entry.action.status === "discarded") return undefined;
      if (entry.outcome !== undefined) return entry.outcome;
      const confirmed = change(entry, { status: "executing", by });
      entry.outcome = execute(confirmed).then(
        (outcome) => {
          change(entry, { status: "settled", outcome });
          return outcome;
        },
        (error: unknown) => {
          delete entry.outcome;
          const { by: _, ...waiting } = entry.action;
          entry.action = Object.freeze({ ...waiting, status: "planned" });
          throw error;
        },
      );
      return entry.outcome;
    },
    discard(id, by) {
      const entry = entries.get(id);
      if (entry?.action.status !== "planned") return false;
      change(entry, { status: "discarded", by });
      return true;
    },
  };
}
