import { bounds } from "../../limits.ts";
import type { PlacedGuard, PlacedPolicy } from "../../registry/policy.ts";
import type { Call, Stage, StepState } from "../call.ts";
import { cut } from "../foreign.ts";
import type { Verdict } from "../journal.ts";
import { cancelled, failure, type Outcome, refuse } from "../outcome.ts";
import { andThen, waitFor, type Waited } from "./waiting.ts";

/** Writes a decision down; returns the outcome where it ends the call. */
function decide(call: Call, step: StepState, verdict: Verdict, code: string, sentence: string): Outcome | undefined {
  call.decided = true;
  step.log.append({ kind: "decision", call: call.number, verdict, code, sentence, at: Date.now() });
  step.emit({ type: "call.decided", callId: call.id, verdict, code, sentence });
  if (verdict === "refuse") return refuse(code, sentence);
  if (verdict === "cancel") return { status: "cancelled", effect: "none", failure: failure(code, sentence) };
  return undefined;
}

/** Runs `judge` over each in turn, on the spot as long as the answers are; stops at the first outcome. */
function each<T>(
  list: readonly T[],
  judge: (item: T) => Outcome | undefined | Promise<Outcome | undefined>,
  from = 0,
): Outcome | undefined | Promise<Outcome | undefined> {
  for (let at = from; at < list.length; at += 1) {
    const outcome = judge(list[at] as T);
    if (outcome instanceof Promise) return outcome.then((settled) => settled ?? each(list, judge, at + 1));
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

const verdicts = new Set(["allow", "refuse", "cancel", "ask"]);

function judgePolicy(call: Call, step: StepState, placed: PlacedPolicy, waited: Waited<unknown>): Outcome | undefined {
  if (waited.kind === "stopped") return cancelled(call);
  if (waited.kind !== "value") {
    const what = waited.kind === "late" ? `did not answer within ${bounds.guardMs} ms` : "threw";
    step.logger.error(`policy of scope "${placed.scope}" ${what}`, {
      callId: call.id,
      cause: waited.kind === "threw" ? waited.error : undefined,
    });
    return decide(
      call,
      step,
      "refuse",
      "policy_failed",
      `the policy of scope "${placed.scope}" ${what}, so the call is refused`,
    );
  }
  if (waited.value === "allow") return undefined;
  const given = (
    typeof waited.value === "object" && waited.value !== null ? waited.value : { verdict: waited.value }
  ) as {
    verdict?: unknown;
    code?: unknown;
    message?: unknown;
  };
  const code = typeof given.code === "string" ? given.code : undefined;
  const message = typeof given.message === "string" ? cut(given.message) : undefined;
  if (typeof given.verdict !== "string" || !verdicts.has(given.verdict)) {
    return decide(
      call,
      step,
      "refuse",
      "policy_failed",
      `the policy of scope "${placed.scope}" gave no verdict, so the call is refused`,
    );
  }
  if (given.verdict === "allow") return undefined;
  if (given.verdict === "refuse")
    return decide(call, step, "refuse", code ?? "policy_refused", message ?? "the policy refused the call");
  if (given.verdict === "cancel")
    return decide(call, step, "cancel", code ?? "policy_cancelled", message ?? "the policy cancelled the call");
  call.question ??= { code: code ?? "approval_needed", reason: message ?? "the policy asks for a person's approval" };
  return undefined;
}

/** The verdict of the policies: allow, refuse, cancel, or ask, which nobody to answer makes a refusal. */
export const check: Stage = (call, step) => {
  const done = (): Outcome | undefined => {
    if (call.question === undefined) return undefined;
    if (step.ask === undefined) {
      return decide(
        call,
        step,
        "refuse",
        "approval_unavailable",
        `${call.question.reason}, and nobody is there to answer`,
      );
    }
    return decide(call, step, "ask", call.question.code, call.question.reason);
  };
  const { policies } = step.surface;
  if (policies.length === 0) return undefined;
  const verdict = each(policies, (placed) =>
    andThen(
      waitFor<unknown>(call, () => placed.policy(view(call)), bounds.guardMs),
      (waited) => judgePolicy(call, step, placed, waited),
    ),
  );
  return verdict instanceof Promise ? verdict.then((outcome) => outcome ?? done()) : (verdict ?? done());
};

function view(call: Call): NonNullable<Call["view"]> {
  if (call.view === undefined) throw new Error("a call is judged before it was offered");
  return call.view;
}

function judgeGuard(call: Call, step: StepState, placed: PlacedGuard, waited: Waited<unknown>): Outcome | undefined {
  if (waited.kind === "stopped") return cancelled(call);
  if (waited.kind !== "value") {
    const what = waited.kind === "late" ? `did not answer within ${bounds.guardMs} ms` : "threw";
    step.logger.error(`guard "${placed.name}" ${what}`, {
      callId: call.id,
      cause: waited.kind === "threw" ? waited.error : undefined,
    });
    return decide(call, step, "refuse", "guard_failed", `guard "${placed.name}" ${what}, so the call is refused`);
  }
  if (waited.value === undefined) return undefined;
  const reason =
    typeof waited.value === "string" && waited.value !== "" ? cut(waited.value) : "it gave no text as its reason";
  return decide(call, step, "refuse", "guard_refused", `guard "${placed.name}" refused the call: ${reason}`);
}

/** Every guard of every enclosing scope, outermost first; the first reason refuses and nothing later turns it back. */
export const guard: Stage = (call, step) => {
  const { guards } = step.surface;
  if (guards.length === 0) return undefined;
  return each(guards, (placed) =>
    andThen(
      waitFor<unknown>(call, () => placed.guard(view(call)), bounds.guardMs),
      (waited) => judgeGuard(call, step, placed, waited),
    ),
  );
};

/** Puts the question to the host and waits on the human clock; afterwards the guards run again and may only refuse. */
export const approve: Stage = (call, step) => {
  const { question, offered } = call;
  const { ask } = step;
  if (question === undefined || offered === undefined || ask === undefined) {
    if (call.decided !== true) decide(call, step, "allow", "allowed", "no policy or guard objected");
    return undefined;
  }
  step.emit({ type: "approval.asked", callId: call.id, tool: offered.name, reason: question.reason });
  const asked = performance.now();
  const answer = waitFor(call, () =>
    ask({
      callId: call.id,
      tool: offered.name,
      source: offered.tool.source,
      args: call.args,
      code: question.code,
      reason: question.reason,
      signal: call.controller().signal,
    }),
  );
  return andThen(answer, (waited) => {
    call.humanMs = performance.now() - asked;
    if (waited.kind === "stopped") return cancelled(call);
    if (waited.kind === "value" && (waited.value === true || waited.value === "allow")) {
      decide(call, step, "allow", "approved", "a person approved the call");
      return guard(call, step);
    }
    if (waited.kind === "threw") {
      step.logger.error("asking for an approval failed", { callId: call.id, cause: waited.error });
      return decide(call, step, "refuse", "approval_unavailable", `${question.reason}, and asking for it failed`);
    }
    const reason =
      waited.kind === "value" && typeof waited.value === "string" && waited.value !== "deny"
        ? `: ${cut(waited.value)}`
        : "";
    return decide(call, step, "refuse", "approval_denied", `a person denied the call${reason}`);
  });
};
