import { randomUUID } from "node:crypto";
import { type Code, type Failure, ToolError } from "../../errors.ts";
import { parseJson } from "../../json.ts";
import { classify, type Tool, type ToolContext } from "../../registry/tool.ts";
import { askOf } from "../ask.ts";
import { withLineage } from "../lineage.ts";
import { type Call, callKey, type OfCall, type Stage, type StepState } from "../call.ts";
import { interrupted } from "../continuation.ts";
import { cut, expectedFailure, type Produced, readProduced } from "../foreign.ts";
import {
  cancelled,
  effectOf,
  type EffectState,
  type Failed,
  failure,
  isSuccess,
  mayWrite,
  type Outcome,
} from "../outcome.ts";
import { referencesKey, type WithReferences } from "../references.ts";
import { keepPart } from "../kept-parts.ts";
import { requestIdOf } from "../request-id.ts";
import { readTransient, type Transient } from "../transient.ts";
import { ranArguments } from "./admit.ts";
import { runAttempts, type Tried } from "./attempts.ts";
import { stillAllowed } from "./decide.ts";
import { stuck, writesOnce } from "./recall.ts";

/** Waits for the call's turn to start; the wait is charged to the queue alone. */
export const schedule: Stage = (call) => {
  const { offered } = call;
  if (offered === undefined) throw new Error("a call is scheduled before it was offered");
  const asked = performance.now();
  const turn = call.place.start(classify(offered.tool, call.args));
  if (turn === true) return undefined;
  call.onStop = () => call.place.leave();
  return turn.then((runs) => {
    delete call.onStop;
    call.queuedMs = performance.now() - asked;
    return runs ? undefined : cancelled(call);
  });
};

/** Runs the tool once, on its own clock; a timeout or a stop signals it, and what it then answers is kept. */
export const execute: Stage = (call, step) => {
  const known = stuck(call, step);
  if (known !== undefined) return known;
  const still = stillAllowed(call, step);
  return still instanceof Promise
    ? still.then((outcome) => outcome ?? startOnce(call, step))
    : (still ?? startOnce(call, step));
};

/** A write that a tool asks for again, as it was started again itself, gets what became of the first. */
function startOnce(call: Call, step: StepState): ReturnType<Stage> {
  if (call.parent === undefined || call.recorded !== undefined || !mayWrite(call.offered?.tool.effects))
    return start(call, step);
  const requestId = requestIdOf(step.log.header, call);
  const sent = step.sent.find(requestId);
  if (sent === undefined) {
    step.sent.begin(requestId, call.id);
    return start(call, step);
  }
  return sent.outcome.then((outcome) => {
    if (!isSuccess(outcome) && (outcome.effect === "none" || !writesOnce(call))) return start(call, step);
    call.reused = sent.callId;
    return outcome;
  });
}

function start(call: Call, step: StepState): ReturnType<Stage> {
  const begun = step.authority?.begin(call);
  if (begun === undefined) return startNow(call, step);
  // Another process may have used up meanwhile what this one relied on.
  return begun
    .then(() => stillAllowed(call, step))
    .then((outcome) => outcome ?? (call.stopped === undefined ? startNow(call, step) : cancelled(call)));
}

function startNow(call: Call, step: StepState): ReturnType<Stage> {
  const durable = intend(call, step, before(call) + 1);
  return durable === undefined
    ? run(call, step)
    : durable.then(() =>
        call.stopped === undefined ? (sentElsewhere(call, step) ?? run(call, step)) : cancelled(call),
      );
}

/** What another run did under the same request id stands, and what it came to where that is not known is not guessed. */
function sentElsewhere(call: Call, step: StepState): Outcome | undefined {
  const sent = step.log.elsewhere?.(requestIdOf(step.log.header, call));
  if (sent === undefined) return undefined;
  const { callId, outcome } = sent;
  if (outcome !== undefined && !isSuccess(outcome) && outcome.effect === "none") return undefined;
  call.reused = callId;
  if (outcome !== undefined) return outcome;
  return writesOnce(call) ? interrupted({ tool: call.offered?.name ?? call.asked.name }) : undefined;
}

/** Attempts in a process that was lost. */
const before = ({ recorded }: Call): number => recorded?.attempts ?? 0;

/** Writes an attempt down; one that may write begins only once that is durable. */
function intend(call: Call, step: StepState, attempt: number): Promise<void> | undefined {
  const ran = call.started ? undefined : ranArguments(call);
  const writes = mayWrite(call.offered?.tool.effects);
  step.log.append({
    kind: "intent",
    call: call.number,
    attempt,
    ...(writes ? { requestId: requestIdOf(step.log.header, call) } : {}),
    ...(ran === undefined ? {} : { ran }),
    at: Date.now(),
  });
  return writes ? step.log.commit() : undefined;
}

function run(call: Call, step: StepState): Promise<Outcome | undefined> {
  const { offered } = call;
  if (offered === undefined) throw new Error("a call runs before it was offered");
  const writes = mayWrite(offered.tool.effects);
  call.started = true;
  step.emit({ type: "call.started", callId: call.id });
  return runAttempts(call, step, {
    offered,
    invoke: () =>
      invoke(offered.tool, call, step).then(
        (produced): Tried => {
          call.produced = produced;
          const { error } = produced;
          if (error === undefined) return { outcome: undefined };
          return { outcome: reported(produced, error, writes), transient: readTransient(error, Date.now()) };
        },
        (error: unknown): Tried => {
          const transient = readTransient(error, Date.now());
          return { outcome: thrown(call, step, error, writes, transient), transient };
        },
      ),
    intend: (attempt) => intend(call, step, before(call) + attempt),
    aborted: (answered) => aborted(call, writes, answered),
    keepLate: (outcome) => keepLate(call, step, outcome),
  });
}

async function invoke(tool: Tool, call: Call, step: StepState): Promise<Produced> {
  const body = tool.definition.execute as (args: unknown, context: ToolContext) => unknown;
  const returned = withLineage(step.lineage, () => body.call(tool.definition, call.args, contextOf(tool, call, step)));
  return readProduced(await returned);
}

function contextOf({ source }: Tool, call: Call, step: StepState): ToolContext & OfCall & WithReferences {
  return {
    get signal() {
      return call.controller().signal;
    },
    callId: call.id,
    get requestId() {
      return requestIdOf(step.log.header, call);
    },
    source,
    tenant: step.tenant,
    identity: step.identity,
    services: step.services,
    logger: step.logger,
    [callKey]: call,
    [referencesKey]: step.references,
    reference: (part) => keepPart(step.references, part),
    progress: (update) => step.emit({ ...readProgress(update), type: "call.progress", callId: call.id }),
    async call(name, args = {}) {
      if (typeof name !== "string") throw new TypeError("context.call takes the name of a tool");
      const outcome = await call.request(askOf("tool", name, args), call);
      if (isSuccess(outcome)) return parseJson(outcome.json);
      const { code, message, hint, details } = outcome.failure;
      throw new ToolError(message, { code, hint, details: details as Record<string, unknown> | undefined });
    },
  };
}

function aborted(call: Call, writes: boolean, answered: boolean): Failed {
  const why = call.stopped ?? "the call was stopped";
  if (answered)
    return {
      status: "cancelled",
      effect: writes ? "unknown" : "none",
      failure: failure("call_aborted", `the call was stopped while it ran: ${why}`),
    };
  return writes
    ? {
        status: "unknown",
        effect: "unknown",
        failure: failure(
          "call_aborted",
          `${why}; the tool did not answer its signal, so whether it took effect is not known`,
        ),
      }
    : {
        status: "cancelled",
        effect: "none",
        failure: failure("call_aborted", `the call was stopped while it ran: ${why}`),
      };
}

const reported = (parts: Produced, error: Failure, writes: boolean): Failed => ({
  status: "error",
  effect: parts.effect ?? failedEffect(error.code, writes),
  failure: error,
});

/** A tool that says why it failed says that nothing took effect, unless its server was lost on the way. */
const failedEffect = (code: string, writes: boolean): EffectState =>
  writes && unanswered.has(code) ? "unknown" : "none";

/** The call reached a server whose answer did not come back, or cannot be read. */
const unanswered: ReadonlySet<string> = new Set<Code>(["source_disconnected", "source_answer_invalid"]);

function thrown(
  call: Call,
  step: StepState,
  error: unknown,
  writes: boolean,
  transient: Transient | undefined,
): Failed {
  // What a signalled tool throws is its answer to the signal, often the signal's own reason.
  if (call.stopped !== undefined || call.expired === true) return aborted(call, writes, true);
  const expected = expectedFailure(error);
  if (expected !== undefined) {
    return { status: "error", effect: failedEffect(expected.code, writes), failure: expected };
  }
  const correlationId = randomUUID().slice(0, 8);
  step.logger.error(`tool "${call.offered?.name ?? ""}" threw`, { callId: call.id, correlationId, cause: error });
  const why = transient === undefined ? "" : `: ${transient.reason}`;
  const message = `${call.offered?.name ?? "the tool"} failed with an internal error${why} [${correlationId}]`;
  return {
    status: "error",
    effect: writes ? "unknown" : "none",
    failure: failure("internal_error", message, { details: { correlationId } }),
  };
}

function readProgress(update: Parameters<ToolContext["progress"]>[0]): {
  done?: number;
  total?: number;
  message?: string;
} {
  const { done, total, message } = update;
  return {
    ...(typeof done === "number" ? { done } : {}),
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message: cut(message) } : {}),
  };
}

/** A tool that answered after its outcome was settled: the outcome stands, and what really happened is written beside it. */
function keepLate(call: Call, step: StepState, outcome: Outcome | undefined): void {
  const { produced, offered } = call;
  const status = produced === undefined || produced.status === "error" ? "ok" : produced.status;
  const really = outcome ?? { status, effect: effectOf(produced, offered?.tool.effects) };
  step.log.append({
    kind: "late",
    call: call.number,
    status: really.status,
    effect: really.effect,
    ...("failure" in really ? { failure: really.failure } : {}),
    at: Date.now(),
  });
  // Where the run is given up already it stays in memory alone.
  step.log.commit()?.catch(() => undefined);
}
