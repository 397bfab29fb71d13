// The planned actions of one session: what would change the outside and was asked for where nothing may. Each is settled
// once; whoever comes later gets what the first one got.
import { randomUUID } from "node:crypto";
import { newRunId } from "../bridge/run-id.ts";
import { bounds } from "../limits.ts";
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
  /** The run that executes it. */
  readonly runId?: string;
  /** What executing it came to. */
  readonly outcome?: T;
}

/** How executing it begins: `claimed` where it was confirmed just now, not by another process before. */
export type Execute<T> = (action: PlannedAction<T>, claimed: boolean) => Promise<T>;

export interface PlannedActions<T> {
  add(terms: PlannedTerms): PlannedAction<T>;
  list(): readonly PlannedAction<T>[];
  /**
   * What executing it came to, by whoever confirmed it first; `undefined` where there is no such action, or it was discarded.
   * Where `execute` rejects nothing ran, and the action waits as before.
   */
  confirm(id: string, by: string, execute: Execute<T>): Promise<T> | undefined;
  find(id: string): PlannedAction<T> | undefined;
  /** Another run executes it, as the one that was to was lost before it began. */
  reclaim(id: string): PlannedAction<T> | undefined;
  /** False where it is not waiting any more. */
  discard(id: string, by: string): boolean;
  /** What is worth keeping: all that wait, and the latest of the others. */
  kept(): readonly PlannedAction<T>[];
  /** Takes in what another process made of the same actions: whoever has got further stands. */
  absorb(theirs: readonly PlannedAction<T>[]): void;
}

interface Entry<T> {
  action: PlannedAction<T>;
  outcome?: Promise<T>;
}

export function createPlannedActions<T>(): PlannedActions<T> {
  const entries = new Map<string, Entry<T>>();
  const settledBefore = ({ action: { status } }: Entry<T>): boolean => status === "settled" || status === "discarded";
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
      const { outcome: known } = entry.action;
      if (entry.action.status === "settled" && known !== undefined) return Promise.resolve(known);
      const claimed = entry.action.status === "planned";
      const confirmed = claimed ? change(entry, { status: "executing", by, runId: newRunId() }) : entry.action;
      entry.outcome = execute(confirmed, claimed).then(
        (outcome) => {
          change(entry, { status: "settled", outcome });
          return outcome;
        },
        (error: unknown) => {
          delete entry.outcome;
          if (claimed && entry.action.runId === confirmed.runId) {
            const { by: _, runId: _run, ...waiting } = entry.action;
            entry.action = Object.freeze({ ...waiting, status: "planned" });
          }
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
    find: (id) => entries.get(id)?.action,
    reclaim(id) {
      const entry = entries.get(id);
      return entry === undefined ? undefined : change(entry, { runId: newRunId() });
    },
    kept() {
      const all = [...entries.values()];
      const over = all.filter(settledBefore).slice(0, -bounds.settledActions);
      return all.filter((entry) => !over.includes(entry)).map(({ action }) => action);
    },
    absorb(theirs) {
      for (const action of theirs) {
        const entry = entries.get(action.id);
        if (entry === undefined) entries.set(action.id, { action: Object.freeze(action) });
        else if (further[action.status] > further[entry.action.status] || isOthers(action, entry.action))
          entry.action = Object.freeze(action);
      }
    },
  };
}

const further: Readonly<Record<PlannedAction["status"], number>> = {
  planned: 0,
  executing: 1,
  discarded: 2,
  settled: 3,
};

/** Both were confirmed, and the other one first. */
const isOthers = (theirs: PlannedAction, mine: PlannedAction): boolean =>
  theirs.status === mine.status && theirs.runId !== mine.runId;
