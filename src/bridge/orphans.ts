import type { RunLog } from "./journal.ts";
import { interrupted } from "./continuation.ts";
import { cancelled, type Failed, failure } from "./outcome.ts";
import type { Recorded, RecordedCall } from "./recorded.ts";

/** Ends the calls that a tool had asked for which does not run any more: nobody waits for them. */
export const endOrphans = (log: RunLog, { calls }: Recorded): void =>
  endLost(
    log,
    calls.filter(({ parent }) => parent !== undefined),
  );

/** Ends those of the calls that have no outcome: the process that made them is gone, and nothing of them is executed. */
export function endLost(log: RunLog, calls: readonly RecordedCall[]): void {
  for (const call of calls) {
    if (call.ended !== undefined) continue;
    log.append({ kind: "out", call: call.call, ...lost(call), queuedMs: 0, ranMs: 0, humanMs: 0, at: Date.now() });
  }
}

function lost(call: RecordedCall): Failed {
  if (call.requestId !== undefined) return interrupted(call);
  if (call.attempts === 0) return cancelled({ stopped: "its process was lost" });
  const message = `${call.tool} only read, and its process was lost before it answered`;
  return { status: "cancelled", effect: "none", failure: failure("call_aborted", message) };
}
