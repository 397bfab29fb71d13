import type { RecordEntry } from "../bridge/record.ts";
import type { PendingApproval } from "./result.ts";

/** The calls of a run that wait for a person. */
export const pendingOf = (calls: readonly RecordEntry[]): readonly PendingApproval[] =>
  calls
    .filter(({ status, decision }) => status === "pending" && decision.verdict === "ask")
    .map(({ callId, tool, source, args, decision }) =>
      Object.freeze({ callId, tool, source, args, code: decision.code, reason: decision.sentence }),
    );
