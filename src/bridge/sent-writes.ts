// Writes that running tools asked for, by request id. A tool that is started again, after an error that may pass or in another
// process, asks for them again: what is known of the first stands, and it is not done a second time.
import { interrupted } from "./continuation.ts";
import { isSuccess, type Outcome } from "./outcome.ts";
import { callIdOf } from "./record.ts";
import type { Recorded } from "./recorded.ts";

export interface SentWrite {
  readonly callId: string;
  readonly outcome: Promise<Outcome>;
}

export interface SentWrites {
  /** The write that was started under this id; absent where none was, or where it surely had no effect. */
  find(requestId: string): SentWrite | undefined;
  begin(requestId: string, callId: string): void;
  /** Does nothing where another call began it. */
  end(requestId: string, callId: string, outcome: Outcome): void;
}

interface Kept extends SentWrite {
  readonly settle: (outcome: Outcome) => void;
}

/** Whether the write may not be done again, whatever its tool says of itself. */
const stands = (outcome: Outcome): boolean => isSuccess(outcome) || outcome.effect !== "none";

/** With what a log holds of them, where the run goes on from one. */
export function createSentWrites(runId: string, recorded?: Recorded): SentWrites {
  const writes = new Map<string, Kept>();

  function begin(requestId: string, callId: string): void {
    if (writes.has(requestId)) return;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    writes.set(requestId, { callId, outcome: promise, settle: resolve });
  }

  function end(requestId: string, callId: string, outcome: Outcome): void {
    const write = writes.get(requestId);
    if (write?.callId !== callId) return;
    write.settle(outcome);
    if (!stands(outcome)) writes.delete(requestId);
  }

  for (const call of recorded?.calls ?? []) {
    if (call.parent === undefined || call.requestId === undefined) continue;
    const callId = callIdOf(runId, call.call);
    begin(call.requestId, callId);
    end(call.requestId, callId, call.ended?.outcome ?? interrupted(call));
  }
  return { find: (requestId) => writes.get(requestId), begin, end };
}
