import type { RunLog } from "../bridge/journal.ts";
import { type RecordEntry, recordOf } from "../bridge/record.ts";

/** The logs of a turn, and once it is over only their records. */
export interface TurnRecord {
  add(log: RunLog): void;
  /** Nothing goes on in the run here: others may take it over, unless it has ended and a tool may still answer late. */
  release(log: RunLog): Promise<void>;
  /** In the order in which runs began. */
  entries(): readonly RecordEntry[];
  /** Lets go of the logs, which hold results and programs; those stay readable in which a tool may still answer late. */
  close(): Promise<void>;
}

type Part = { readonly log: RunLog } | { readonly record: readonly RecordEntry[] };

const mayChange = ({ status, late }: RecordEntry): boolean =>
  late === undefined && ["running", "unknown", "timeout", "cancelled"].includes(status);

export function createTurnRecord(): TurnRecord {
  let parts: Part[] = [];
  return {
    add: (log) => void parts.push({ log }),
    entries: () => parts.flatMap((part) => ("log" in part ? recordOf(part.log) : part.record)),
    async release(log) {
      // A log that nobody else can take is not held either.
      if (log.taken === undefined) return;
      const hasEnded = log.entries().some(({ kind }) => kind === "end");
      if (!hasEnded || !recordOf(log).some(mayChange)) await log.close();
    },
    async close() {
      const logs = parts.flatMap((part) => ("log" in part ? [part.log] : []));
      parts = parts.map((part) => {
        if (!("log" in part)) return part;
        const record = recordOf(part.log);
        return record.some(mayChange) ? part : { record };
      });
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}
