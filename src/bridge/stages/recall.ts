// What is known of a call before anything about it is decided: that a former run completed it, or how far it had come when the
// process that ran it was lost.
import type { Call, StepState } from "../call.ts";
import { keyOfCall } from "../call-key.ts";
import { interrupted } from "../continuation.ts";
import { failure, type Failed, mayWrite, type Outcome, refuse } from "../outcome.ts";

/** `settled`: how the call ends. `isDecided`: nobody is asked again whether it may run. */
export interface Recalled {
  readonly settled?: Outcome;
  readonly isDecided?: boolean;
}

export function recall(call: Call, step: StepState): Recalled {
  const { recorded, offered } = call;
  if (offered === undefined) return {};
  if (recorded === undefined) return reuse(call, step);
  const { decision, asked, attempts } = recorded;
  if (attempts > 0 && writesOnce(call)) {
    const settled = interrupted({ tool: offered.name });
    return { settled, isDecided: true };
  }
  if (decision?.verdict === "allow") return { isDecided: true };
  if (decision?.verdict === "refuse") return { settled: refuse(decision.code, decision.sentence), isDecided: true };
  if (decision?.verdict === "cancel") {
    const settled: Failed = { status: "cancelled", effect: "none", failure: failure(decision.code, decision.sentence) };
    return { settled, isDecided: true };
  }
  if (asked !== undefined) {
    call.question = step.authority?.question(call) ?? { code: asked.code, reason: asked.sentence };
    return { isDecided: false };
  }
  return {};
}

function reuse(call: Call, step: StepState): Recalled {
  const { offered, parent } = call;
  if (step.continuation === undefined || offered === undefined || parent !== undefined) return {};
  const { source, originalName, effects } = offered.tool;
  const reused = step.continuation.reuse({
    tool: originalName,
    source,
    args: call.asked.args,
    writes: mayWrite(effects),
  });
  if (reused === undefined) return {};
  call.reused = reused.callId;
  return { settled: reused.outcome };
}

/** Whether a second start of the call might do a second time what the first did. */
export const writesOnce = ({ offered }: Call): boolean =>
  offered !== undefined && mayWrite(offered.tool.effects) && offered.tool.definition.idempotent !== true;

/** Why a write may not start: the same one was started before and it is not known whether it took effect. */
export function stuck(call: Call, step: StepState): Outcome | undefined {
  const { offered } = call;
  if (offered === undefined || !writesOnce(call) || !step.unknown.has(keyOf(call))) return undefined;
  return {
    status: "unknown",
    effect: "unknown",
    failure: failure(
      "outcome_unknown",
      `${offered.name} was started with these arguments before and it is not known whether it took effect, so it was not started again`,
      { hint: "find out with a call that reads; the host can settle what is unknown" },
    ),
  };
}

/** Remembers what must not be done again before somebody has found out. */
export function keepUnknown(call: Call, step: StepState, outcome: Outcome): void {
  if (outcome.effect === "unknown" && writesOnce(call)) step.unknown.add(keyOf(call));
}

const keyOf = ({ offered, asked }: Call): string =>
  keyOfCall(offered?.tool.source ?? "", offered?.tool.originalName ?? asked.name, asked.args);
