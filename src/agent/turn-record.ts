import type { RunLog } from "../bridge/journal.ts";
import { type RecordEntry, recordOf } from "../bridge/record.ts";

/** The logs of a turn, and once it is over only their records. */
export interface TurnRecord {
  add(log: RunLog): void;
  /** In the order in which runs began. */
  entries(): readonly RecordEntry[];
  /** Lets go of the logs, which hold results and programs; those stay in which a tool may still answer late. */
  close(): void;
}

type Part = { readonly log: RunLog } | { readonly record: readonly RecordEntry[] };

const mayChange = ({ status, late }: RecordEntry): boolean =>
  late === undefined && ["running", "unknown", "timeout", "cancelled"].includes(status);

export function createTurnRecord(): TurnRecord {
  let parts: Part[] = [];
  return {
    add: (log) => void parts.push({ log }),
    entries: () => parts.flatMap((part) => ("log" in part ? recordOf(part.log) : part.record)),
    close() {
      parts = parts.map((part) => {
        if (!("log" in part)) return part;
        const record = recordOf(part.log);
        return record.some(mayChange) ? part : { record };
      });
    },
  };
}
