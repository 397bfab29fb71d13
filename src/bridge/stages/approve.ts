import { JsonError, toJson } from "../../json.ts";
import { type Answer, type ApprovalItem, callChoices, capabilityChoices, readAnswers } from "../answers.ts";
import type { Call, Question, Ruling, Stage, StepState } from "../call.ts";
import { cut } from "../foreign.ts";
import { everything } from "../json-bounds.ts";
import { cancelled, type Outcome, type Success } from "../outcome.ts";
import { offered } from "./admit.ts";
import { check, decide, guard, stillAllowed } from "./decide.ts";
import { validate } from "./validate.ts";
import { andThen, waitFor } from "./waiting.ts";

/** Puts the question to the host and waits on the human clock; afterwards revocations and guards are looked at again and may only refuse. */
export const approve: Stage = (call, step) => {
  const { question } = call;
  const tool = call.offered;
  if (question === undefined || tool === undefined) {
    step.approvals.pass(call);
    return allow(call, step);
  }
  const known = call.recorded?.answer;
  if (known !== undefined) {
    step.approvals.pass(call);
    return follow(call, step, question, answerOf(known, itemOf(call, question, step.limits.approvalMs)));
  }
  step.emit({ type: "approval.asked", callId: call.id, tool: tool.name, reason: question.reason });
  const asked = performance.now();
  const expiresMs = question.expiresMs ?? step.limits.approvalMs;
  const answering =
    step.ask === undefined
      ? waitFor<Answer>(call, () => comesLater(call, step))
      : waitFor(call, () => step.approvals.ask(call, itemOf(call, question, expiresMs)), expiresMs);
  return andThen<Answer, Outcome | undefined>(answering, (waited) => {
    call.humanMs += performance.now() - asked;
    if (waited.kind === "value") return follow(call, step, question, waited.value);
    step.approvals.withdraw(call, call.controller().signal.reason);
    if (waited.kind === "stopped") return cancelled(call);
    if (waited.kind === "late") {
      const sentence = `${question.reason}, and nobody answered within ${expiresMs} ms`;
      return decide(call, step, "refuse", "approval_expired", sentence);
    }
    step.logger.error("asking for an approval failed", { callId: call.id, cause: waited.error });
    return decide(call, step, "refuse", "approval_unavailable", `${question.reason}, and asking for it failed`);
  });
};

const answerOf = (given: unknown, item: ApprovalItem): Answer => readAnswers(given, [item])[0] ?? { kind: "deny" };

/** Where answers may come after this process is gone the call stays pending until it is stopped. */
function comesLater(call: Call, step: StepState): Promise<Answer> {
  step.approvals.pass(call);
  step.waits(call);
  return new Promise(() => undefined);
}

function itemOf(call: Call, { code, reason, capability }: Question, expiresMs: number): ApprovalItem {
  return Object.freeze<ApprovalItem>({
    kind: capability === undefined ? "call" : "capability",
    callId: call.id,
    tool: call.offered?.name ?? "",
    source: call.offered?.tool.source ?? "",
    args: call.args,
    code,
    reason,
    ...(capability === undefined ? {} : { capability: capability.name }),
    ...(capability?.path === undefined ? {} : { path: capability.path }),
    choices: capability === undefined ? callChoices : capabilityChoices,
    expiresMs,
  });
}

function follow(call: Call, step: StepState, question: Question, answer: Answer): ReturnType<Stage> {
  const who = answer.by ?? "a person";
  if (answer.kind === "deny") {
    const why = answer.reason === undefined ? "" : `: ${answer.reason}`;
    return decide(call, step, "refuse", "approval_denied", `${who} denied the call${why}`);
  }
  if (answer.kind === "edit") return replace(call, step, who, answer.args);
  if (question.capability === undefined) {
    decide(call, step, "allow", "approved", `${who} approved the call`);
  } else {
    const granted = step.authority?.granted(call, answer);
    const allowed: Stage = () =>
      granted instanceof Promise
        ? granted.then((ruling) => grant(call, step, who, ruling))
        : grant(call, step, who, granted);
    return inOrder(call, step, [allowed, stillAllowed, guard, plan]);
  }
  return inOrder(call, step, [stillAllowed, guard, plan]);
}

const grant = (call: Call, step: StepState, who: string, ruling: Ruling | undefined): Outcome | undefined =>
  decide(call, step, "allow", ruling?.code ?? "approved", ruling?.sentence ?? `${who} approved the call`);

/** Other arguments pass all that the first ones passed, but for the question. */
function replace(call: Call, step: StepState, who: string, args: unknown): ReturnType<Stage> {
  let text: string;
  try {
    text = toJson(args, everything);
  } catch (error) {
    const why = error instanceof JsonError ? error.message : "they cannot be read";
    const sentence = `${who} denied the call: the arguments in its place are not JSON: ${cut(why)}`;
    return decide(call, step, "refuse", "approval_denied", sentence);
  }
  call.replaced ??= call.asked.args;
  call.asked = { ...call.asked, args: text };
  const edited: Stage = () => decide(call, step, "allow", "edited", `${who} approved the call with other arguments`);
  return inOrder(call, step, [offered, check, guard, validate, edited, plan]);
}

function allow(call: Call, step: StepState): ReturnType<Stage> {
  if (call.decided !== true) {
    const { code, sentence } = step.authority?.reliedOn(call) ?? {
      code: step.confirmedBy === undefined ? "allowed" : "confirmed",
      sentence:
        step.confirmedBy === undefined
          ? "no policy or guard objected"
          : `${step.confirmedBy} confirmed the planned action`,
    };
    decide(call, step, "allow", code, sentence);
  }
  return plan(call, step);
}

/** What may not run here is written down instead. */
const plan: Stage = (call, step) => {
  const planned = step.authority?.plan(call);
  return planned instanceof Promise ? planned.then((success) => noted(call, success)) : noted(call, planned);
};

function noted(call: Call, planned: Success | undefined): Outcome | undefined {
  if (planned?.note !== undefined) call.note = planned.note;
  return planned;
}

/** One stage after another, on the spot as long as they are; the first outcome ends them. */
function inOrder(call: Call, step: StepState, list: readonly Stage[]): ReturnType<Stage> {
  const [first, ...rest] = list;
  if (first === undefined) return undefined;
  const outcome = first(call, step);
  if (outcome instanceof Promise) return outcome.then((settled) => settled ?? inOrder(call, step, rest));
  return outcome ?? inOrder(call, step, rest);
}
