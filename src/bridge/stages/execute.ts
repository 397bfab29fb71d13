import { createHash, randomUUID } from "node:crypto";
import { type Code, type Failure, ToolError } from "../../errors.ts";
import { parseJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { classify, type Tool, type ToolContext } from "../../registry/tool.ts";
import { askOf } from "../ask.ts";
import { withLineage } from "../lineage.ts";
import type { Call, Stage, StepState } from "../call.ts";
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
import { ranArguments } from "./admit.ts";

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
  const ran = ranArguments(call);
  step.log.append({
    kind: "intent",
    call: call.number,
    attempt: 1,
    ...(ran === undefined ? {} : { ran }),
    at: Date.now(),
  });
  const durable = mayWrite(call.offered?.tool.effects) ? step.log.commit() : undefined;
  return durable === undefined
    ? run(call, step)
    : durable.then(() => (call.stopped === undefined ? run(call, step) : cancelled(call)));
};

function run(call: Call, step: StepState): Promise<Outcome | undefined> {
  const { offered } = call;
  if (offered === undefined) throw new Error("a call runs before it was offered");
  const writes = mayWrite(offered.tool.effects);
  const timeoutMs = offered.tool.definition.timeoutMs ?? step.limits.callMs;
  call.started = true;
  step.emit({ type: "call.started", callId: call.id });
  const startedAt = performance.now();

  return new Promise((resolve) => {
    let over = false;
    let silence: NodeJS.Timeout | undefined;
    const finish = (outcome: Outcome | undefined): void => {
      over = true;
      clearTimeout(timer);
      clearTimeout(silence);
      delete call.onStop;
      call.ranMs = performance.now() - startedAt;
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      call.expired = true;
      const message = `${offered.name} did not finish within ${timeoutMs} ms on the tool clock`;
      call.controller().abort(new ToolError(message, { code: "call_timeout" }));
      finish(
        writes
          ? {
              status: "unknown",
              effect: "unknown",
              failure: failure("call_timeout", `${message}; whether it took effect is not known`),
            }
          : { status: "timeout", effect: "none", failure: failure("call_timeout", message) },
      );
    }, timeoutMs);
    call.onStop = () => {
      delete call.onStop;
      silence = setTimeout(() => finish(aborted(call, writes, false)), bounds.signalMs);
    };
    const settle = (outcome: Outcome | undefined): void => {
      if (!over) finish(outcome);
      else keepLate(call, step, outcome);
    };
    invoke(offered.tool, call, step).then(
      (produced) => {
        call.produced = produced;
        settle(produced.error === undefined ? undefined : reported(produced, produced.error, writes));
      },
      (error: unknown) => settle(thrown(call, step, error, writes)),
    );
  });
}

async function invoke(tool: Tool, call: Call, step: StepState): Promise<Produced> {
  const body = tool.definition.execute as (args: unknown, context: ToolContext) => unknown;
  const returned = withLineage(step.lineage, () => body.call(tool.definition, call.args, contextOf(tool, call, step)));
  return readProduced(await returned);
}

function contextOf({ source, originalName }: Tool, call: Call, step: StepState): ToolContext {
  return {
    get signal() {
      return call.controller().signal;
    },
    callId: call.id,
    get requestId() {
      const identity = JSON.stringify([call.id, source, originalName, call.asked.args]);
      return createHash("sha256").update(identity).digest("hex").slice(0, 32);
    },
    source,
    tenant: step.tenant,
    identity: step.identity,
    services: step.services,
    logger: step.logger,
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

function thrown(call: Call, step: StepState, error: unknown, writes: boolean): Failed {
  // What a signalled tool throws is its answer to the signal, often the signal's own reason.
  if (call.stopped !== undefined || call.expired === true) return aborted(call, writes, true);
  const expected = expectedFailure(error);
  if (expected !== undefined) {
    return { status: "error", effect: failedEffect(expected.code, writes), failure: expected };
  }
  const correlationId = randomUUID().slice(0, 8);
  step.logger.error(`tool "${call.offered?.name ?? ""}" threw`, { callId: call.id, correlationId, cause: error });
  const message = `${call.offered?.name ?? "the tool"} failed with an internal error [${correlationId}]`;
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
}
