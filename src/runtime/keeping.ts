// What outlives a program in its session: its `state`, and what references stand for.
import type { RunLog } from "../bridge/journal.ts";
import { type Reference } from "../bridge/references.ts";
import { isProvided } from "../bridge/results.ts";

export interface Keeping {
  /** `state` as a program that begins now finds it, JSON text. */
  state(): string;
  /** Takes what a program that had found `before` left; answers what the model should hear of that. */
  leave(before: string, after: string): readonly string[] | Promise<readonly string[]>;
  /** Keeps JSON for later programs; `undefined` where there will be none. */
  refer(json: string): Reference | undefined;
}

/** What the program of a log handed on with `show`, in the order in which it asked. */
export function shownOf(log: RunLog): readonly Reference[] {
  const shown = new Map<number, Reference | undefined>();
  for (const entry of log.entries()) {
    if (entry.kind === "ask" && isProvided(entry, "show")) shown.set(entry.call, undefined);
    else if (entry.kind === "out" && entry.status === "ok" && entry.json !== undefined && shown.has(entry.call))
      shown.set(entry.call, JSON.parse(entry.json) as Reference);
  }
  return [...shown.values()].filter((reference) => reference !== undefined);
}
