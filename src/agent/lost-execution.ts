import type { Journal } from "../bridge/journal.ts";
import { endLost } from "../bridge/orphans.ts";
import { readRecorded } from "../bridge/recorded.ts";
import { Fault } from "../errors.ts";
import { callOutcome, type CallOutcome } from "./outcome.ts";

/**
 * What a run came to that was to execute one call, and whose process may be gone; `undefined` where it had not begun. Nothing
 * is executed. Rejects with `run_claimed` while it is under way, and with what the store rejects with.
 */
export async function outcomeOfExecution(
  journal: Journal,
  tenant: string,
  runId: string,
): Promise<CallOutcome | undefined> {
  let log;
  try {
    log = await journal.resume(tenant, runId);
  } catch (error) {
    if (error instanceof Fault && error.code === "run_not_found") return undefined;
    throw error;
  }
  try {
    const { calls, end } = readRecorded(log.entries());
    if (end === undefined) {
      endLost(log, calls);
      log.append({ kind: "end", status: "completed", at: Date.now() });
      await log.commit();
    }
    const [call] = readRecorded(log.entries()).calls;
    if (call?.ended === undefined || (end === undefined && call.attempts === 0)) return undefined;
    return callOutcome(call.ended.outcome);
  } finally {
    await log.close();
  }
}
