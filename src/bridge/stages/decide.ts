import { bounds, limitTable } from "../../limits.ts";
import type { Grants, PlacedGuard, PlacedPolicy, Task } from "../../registry/policy.ts";
import type { Call, Ruling, Stage, StepState } from "../call.ts";
import { cut } from "../foreign.ts";
import type { Verdict } from "../journal.ts";
import { cancelled, failure, type Outcome, refuse } from "../outcome.ts";
import { recall } from "./recall.ts";
import { andThen, waitFor, type Waited } from "./waiting.ts";

/** Writes a decision down; returns the outcome where it ends the call. */
export function decide(
  call: Call,
  step: StepState,
  verdict: Verdict,
  code: string,
  sentence: string,
  extra: { readonly hint?: string | undefined; readonly details?: unknown } = {},
): Outcome | undefined {
  call.decided = true;
  step.log.append({ kind: "decision", call: call.number, verdict, code, sentence, at: Date.now() });
  step.emit({ type: "call.decided", callId: call.id, verdict, code, sentence });
  if (verdict === "refuse") return refuse(code, sentence, extra);
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
    hint?: unknown;
    expiresMs?: unknown;
  };
  const code = typeof given.code === "string" ? given.code : undefined;
  const message = typeof given.message === "string" ? cut(given.message) : undefined;
  const hint = typeof given.hint === "string" ? cut(given.hint) : undefined;
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
    return decide(call, step, "refuse", code ?? "policy_refused", message ?? "the policy refused the call", { hint });
  if (given.verdict === "cancel")
    return decide(call, step, "cancel", code ?? "policy_cancelled", message ?? "the policy cancelled the call");
  call.question ??= {
    code: code ?? "approval_needed",
    reason: message ?? "the policy asks for a person's approval",
    ...(isTime(given.expiresMs) ? { expiresMs: given.expiresMs } : {}),
  };
  return undefined;
}

const { min: shortest, max: longest } = limitTable.approvalMs;
const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= shortest && (value as number) <= longest;

/** What codecall's own rules refuse, then the verdict of the policies: allow, refuse, cancel, or ask, which nobody to answer makes a refusal. */
export const check: Stage = (call, step) => {
  const { authority } = step;
  const { settled, isDecided } = recall(call, step);
  if (isDecided === true) call.decided = true;
  if (settled !== undefined || isDecided !== undefined) return settled;
  const ruling = authority?.judge(call, step);
  if (ruling !== undefined) return refuseBy(call, step, ruling);
  // Nobody is asked twice: not about what a person put in place of what was asked about, nor about what was confirmed.
  const isAnswered = call.replaced !== undefined || step.confirmedBy !== undefined;
  const own = isAnswered ? undefined : authority?.question(call);
  if (own !== undefined) call.question = own;
  const done = (): Outcome | undefined => {
    if (isAnswered) delete call.question;
    if (call.question === undefined) return undefined;
    if (step.ask === undefined && step.later !== true) {
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
  if (policies.length === 0) return done();
  const grants = authority?.grants(call) ?? noGrants;
  const task = authority?.task ?? bareTask(step);
  const verdict = each(policies, (placed) =>
    andThen(
      waitFor<unknown>(call, () => placed.policy(view(call), grants, task), bounds.guardMs),
      (waited) => judgePolicy(call, step, placed, waited),
    ),
  );
  return verdict instanceof Promise ? verdict.then((outcome) => outcome ?? done()) : (verdict ?? done());
};

const noGrants: Grants = Object.freeze({ covers: () => false });

const bareTask = ({ log, tenant }: StepState): Task => ({
  activity: "act",
  turn: log.header.turn,
  session: log.header.session,
  tenant,
  tainted: false,
  workingFolder: undefined,
  confirmationGated: false,
});

const refuseBy = (call: Call, step: StepState, { code, sentence, ...extra }: Ruling): Outcome | undefined =>
  decide(call, step, "refuse", code, sentence, extra);

/** What was allowed and is so no longer refuses the call: a grant that was revoked, a path that leads elsewhere now. */
export function stillAllowed(call: Call, step: StepState): ReturnType<Stage> {
  const { authority } = step;
  if (authority === undefined) return undefined;
  return andThen<Ruling | undefined, Outcome | undefined>(
    waitFor(call, () => authority.recheck(call), bounds.guardMs),
    (waited) => {
      if (waited.kind === "value") return waited.value && refuseBy(call, step, waited.value);
      if (waited.kind === "stopped") return cancelled(call);
      return decide(
        call,
        step,
        "refuse",
        "path_unusable",
        "the paths among the arguments could not be looked up again",
      );
    },
  );
}

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
