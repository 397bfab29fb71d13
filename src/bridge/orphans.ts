import type { RunLog } from "./journal.ts";
import { interrupted } from "./continuation.ts";
import { cancelled, type Failed } from "./outcome.ts";
import type { Recorded, RecordedCall } from "./recorded.ts";

/** Ends the calls that a tool had asked for which does not run any more: nobody waits for them. */
export function endOrphans(log: RunLog, { calls }: Recorded): void {
  for (const call of calls) {
    if (call.parent === undefined || call.ended !== undefined) continue;
    log.append({ kind: "out", call: call.call, ...orphaned(call), queuedMs: 0, ranMs: 0, humanMs: 0, at: Date.now() });
  }
}

const orphaned = (call: RecordedCall): Failed =>
  call.requestId !== undefined
    ? interrupted(call)
    : cancelled({ stopped: "the tool that asked for it was lost with its process" });
