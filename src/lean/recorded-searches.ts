// Searches are read back from the journal alone: a call of the provided tool that ended well. What a file or another tool
// prints is never looked at, and neither is a search that another tool made.
import type { JournalEntry, RunLog } from "../bridge/journal.ts";
import { isObject } from "../is-object.ts";
import { parseJson } from "../json.ts";
import { providedSource, searchToolName } from "../registry/provided.ts";

/** The names that each search bound, in the order in which they were answered. */
export interface RecordedSearches {
  /** Those that were answered since this was last asked. */
  next(): readonly (readonly string[])[];
}

export function readSearches(log: RunLog): RecordedSearches {
  const open = new Set<number>();
  let read = 0;

  function answered(entry: JournalEntry): readonly string[] | undefined {
    if (entry.kind === "ask") {
      const { tool, source, caller, call } = entry;
      if (tool === searchToolName && source === providedSource && caller !== "tool") open.add(call);
      return undefined;
    }
    if (entry.kind !== "out" || !open.delete(entry.call) || entry.status !== "ok") return undefined;
    return boundBy(entry.json);
  }

  return {
    next() {
      const entries = log.entries();
      const found = entries.slice(read).flatMap((entry) => {
        const names = answered(entry);
        return names === undefined ? [] : [names];
      });
      read = entries.length;
      return found;
    },
  };
}

function boundBy(json: string | undefined): readonly string[] {
  const answer: unknown = json === undefined ? undefined : parseJson(json);
  const bound: unknown = isObject(answer) ? answer["bound"] : undefined;
  return Array.isArray(bound) ? bound.filter((name): name is string => typeof name === "string") : [];
}
