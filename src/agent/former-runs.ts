// The runs of a session that a next program may continue.
import type { Journal, JournalEntry, RunLog } from "../bridge/journal.ts";
import { type Continuation, continueFrom } from "../bridge/continuation.ts";
import { readRecorded } from "../bridge/recorded.ts";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";

export interface FormerRuns {
  add(log: RunLog): void;
  /** Rejects with `run_not_found` for what is no run of this session, and with `run_not_resumable` for one that did not fail. */
  continuation(runId: string): Promise<Continuation>;
}

export function createFormerRuns(journal: Journal, tenant: string, session: string): FormerRuns {
  /** The latest last; a journal that is not durable keeps none by itself. */
  const logs = new Map<string, RunLog>();

  async function entriesOf(runId: string): Promise<readonly JournalEntry[]> {
    const kept = logs.get(runId);
    if (kept !== undefined) return kept.entries();
    const { header, entries } = await journal.read(tenant, runId);
    if (header.session !== session) throw new Fault("run_not_found", `no run ${runId} is kept in this session`);
    return entries;
  }

  return {
    add(log) {
      logs.set(log.header.runId, log);
      const [oldest] = logs.keys();
      if (logs.size > bounds.formerRuns && oldest !== undefined) logs.delete(oldest);
    },
    async continuation(runId) {
      const entries = await entriesOf(runId);
      const { end } = readRecorded(entries);
      if (end?.status === "failed" || end?.status === "cancelled") return continueFrom(runId, entries);
      const state = end === undefined ? "has not ended" : `is ${end.status}`;
      throw new Fault("run_not_resumable", `${runId} ${state}, so there is nothing to continue`, {
        hint: end === undefined ? "resume it instead" : "send the program without continue",
      });
    },
  };
}
