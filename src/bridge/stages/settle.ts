import type { Call, Stage, StepState } from "../call.ts";
import { keepUnknown } from "./recall.ts";
import { requestIdOf } from "../request-id.ts";
import { effectOf, isSuccess, mayWrite, type Outcome } from "../outcome.ts";

/** The outcome of a call that passed every stage. */
function kept(call: Call): Outcome {
  const effect = effectOf(call.produced, call.offered?.tool.effects);
  const status = call.produced?.status ?? "ok";
  const note = call.note === undefined ? {} : { note: call.note };
  return {
    status: status === "error" ? "ok" : status,
    effect,
    json: call.json ?? "null",
    bytes: call.bytes ?? 4,
    ...note,
  };
}

/** A failure is told to whoever asks; a result is what was asked for. */
const withoutSecrets = (outcome: Outcome, { redactor }: StepState): Outcome =>
  redactor === undefined || isSuccess(outcome) ? outcome : { ...outcome, failure: redactor.value(outcome.failure) };

/** Gives the place up and writes the outcome down: once for every call, however it ended. */
export const settle: Stage = (call, step) => {
  const outcome = withoutSecrets(call.outcome ?? kept(call), step);
  call.place.leave();
  step.authority?.end(call, outcome);
  keepUnknown(call, step, outcome);
  if (call.parent !== undefined) step.sent.end(requestIdOf(step.log.header, call), call.id, outcome);
  if (call.decided !== true) {
    const { code, message } = isSuccess(outcome) ? { code: "allowed", message: "allowed" } : outcome.failure;
    const verdict = outcome.status === "cancelled" ? "cancel" : "refuse";
    step.log.append({ kind: "decision", call: call.number, verdict, code, sentence: message, at: Date.now() });
    step.emit({ type: "call.decided", callId: call.id, verdict, code, sentence: message });
  }
  step.log.append({
    kind: "out",
    call: call.number,
    status: outcome.status,
    effect: outcome.effect,
    queuedMs: call.queuedMs,
    ranMs: call.ranMs,
    humanMs: call.humanMs,
    ...(call.note === undefined ? {} : { note: call.note }),
    ...(call.reused === undefined ? {} : { reused: call.reused }),
    ...(isSuccess(outcome) ? { json: outcome.json, bytes: outcome.bytes } : { failure: outcome.failure }),
    at: Date.now(),
  });
  // What an effect came to is written down at once; where that fails, the next commit says so.
  if (call.started && mayWrite(call.offered?.tool.effects)) step.log.commit()?.catch(() => undefined);
  step.emit({
    type: "call.settled",
    callId: call.id,
    tool: call.offered?.name ?? call.asked.name,
    status: outcome.status,
    effect: outcome.effect,
    ranMs: call.ranMs,
    ...(isSuccess(outcome) ? {} : { code: outcome.failure.code, message: outcome.failure.message }),
  });
  if (outcome.status === "ok" && call.offered !== undefined) step.observe?.(call.offered.tool, outcome.json);
  return outcome;
};
