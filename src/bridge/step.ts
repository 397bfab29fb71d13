// A step: the calls of one program, of one response, or of the host, in one queue and one log.
import type { Ask, Call, StepContext, StepState } from "./call.ts";
import { createApprovals } from "./approvals.ts";
import { Fault, ToolError } from "../errors.ts";
import { bounds } from "../limits.ts";
import { cancelled, failure, type Outcome, refuse } from "./outcome.ts";
import { callIdOf } from "./record.ts";
import { createReferences } from "./references.ts";
import { positionOf } from "./request-id.ts";
import type { RecordedCall } from "./recorded.ts";
import { createScheduler, type Scheduler } from "./scheduler.ts";
import { createSentWrites } from "./sent-writes.ts";
import { stages } from "./stages.ts";

export interface Step {
  /** Takes a call through all stages; never rejects. */
  request(ask: Ask): Promise<Outcome>;
  /** Goes on with a call of the log that has no outcome, from where it had come to; never rejects. */
  rejoin(recorded: RecordedCall): Promise<Outcome>;
  /** Runs something that is no call, alone, in the place in the queue where it is asked for. */
  exclusively<T>(run: () => Promise<T>): Promise<T>;
  /** Stops calls with a reason for the model: those not started never run; those running are signalled, unless only `waiting` ones are meant. */
  stop(reason: string, which: "all" | "waiting"): void;
  /** While more calls may come that belong with those that are there, nobody is asked about any of them. */
  gather(mayCome: boolean): void;
  /** Calls that have no outcome yet. */
  readonly open: number;
  /** Of them those, asked for by no other call, that wait for nothing but an answer that may come later. */
  readonly waiting: number;
  /** Tells of each call that begins to wait so. */
  onWaiting(told: () => void): void;
  /** Resolves once no call is open. */
  settled(): Promise<void>;
}

const last = stages.length - 1;

export function openStep(context: StepContext): Step {
  const scheduler = createScheduler(context.limits.concurrency);
  const open = new Set<Call>();
  const waiting = new Set<Call>();
  let tellWaiting = (): void => undefined;
  let count = context.made ?? 0;
  let idle: (() => void)[] = [];
  let misses = 0;
  const approvals = createApprovals(context.ask);
  const state: StepState = {
    ...context,
    references: context.references ?? createReferences(),
    approvals,
    unknown: new Set(context.unknown),
    sent: context.sent ?? createSentWrites(context.log.header.runId),
    waits(call) {
      if (call.parent === undefined) waiting.add(call);
      tellWaiting();
    },
    suggest(name) {
      misses += 1;
      // A program that goes on missing names has been told; looking for near ones costs the host time.
      return misses > bounds.suggestions ? [] : context.surface.nearest(name);
    },
  };

  function request(ask: Ask, parent?: Call, recorded?: RecordedCall): Promise<Outcome> {
    const queue: Scheduler =
      parent === undefined ? scheduler : (parent.nested ??= createScheduler(context.limits.concurrency));
    const number = recorded?.call ?? (count += 1);
    if (parent !== undefined) parent.made += 1;
    let controller: AbortController | undefined;
    const call: Call = {
      number,
      id: callIdOf(context.log.header.runId, number),
      asked: ask,
      parent,
      position: positionOf(number, ask.seq, parent && { position: parent.position, place: parent.made }),
      made: 0,
      recorded,
      place: queue.enter(),
      request,
      started: false,
      queuedMs: 0,
      ranMs: 0,
      humanMs: 0,
      controller: () => (controller ??= new AbortController()),
    };
    if (parent !== undefined && !open.has(parent)) stopOne(call, "the tool that asked for it had ended");
    ask.began?.(call.id);
    open.add(call);
    approvals.enter(call);
    return ask.signal === undefined ? advance(call) : follow(ask.signal, call);
  }

  async function follow(signal: AbortSignal, call: Call): Promise<Outcome> {
    const onAbort = (): void => stopOne(call, "the host's signal stopped the call");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await advance(call);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  function stopOne(call: Call, reason: string): void {
    if (call.stopped !== undefined) return;
    call.stopped = reason;
    call.controller().abort(new ToolError(reason, { code: "call_aborted" }));
    call.onStop?.();
  }

  async function advance(call: Call): Promise<Outcome> {
    try {
      for (let at = 0; at < last && call.outcome === undefined; at += 1) {
        if (call.stopped !== undefined && !call.started && at > 0) {
          call.outcome = cancelled(call);
          break;
        }
        const result = stages[at]?.run(call, state);
        const outcome = result instanceof Promise ? await result : result;
        if (outcome !== undefined) call.outcome = outcome;
      }
    } catch (error) {
      call.outcome = broken(call, error);
    }
    try {
      return stages[last]?.run(call, state) as Outcome;
    } catch (error) {
      return broken(call, error);
    } finally {
      leave(call);
    }
  }

  function leave(call: Call): void {
    call.place.leave();
    open.delete(call);
    waiting.delete(call);
    approvals.pass(call);
    if (call.nested !== undefined && call.nested.size > 0) {
      for (const other of open) if (other.parent === call) stopOne(other, "the tool that asked for it had ended");
    }
    if (open.size > 0) return;
    const resolvers = idle;
    idle = [];
    for (const resolve of resolvers) resolve();
  }

  function broken(call: Call, error: unknown): Outcome {
    // What cannot be written down does not begin.
    if (!call.started && error instanceof Fault && error.code.startsWith("store_")) {
      const { code, message, hint } = error;
      return refuse(code, message, { hint });
    }
    context.logger.error("a stage failed", { callId: call.id, cause: error });
    const name = call.offered?.name ?? "the call";
    return {
      status: "error",
      effect: call.started ? "unknown" : "none",
      failure: failure("internal_error", `${name} failed with an internal error`),
    };
  }

  return {
    request: (ask) => request(ask),
    rejoin: (recorded) => request(askedBefore(recorded), undefined, recorded),
    async exclusively(run) {
      const place = scheduler.enter();
      await place.start(false);
      try {
        return await run();
      } finally {
        place.leave();
      }
    },
    stop(reason, which) {
      for (const call of open) {
        if (which === "all" || !call.started) stopOne(call, reason);
      }
    },
    gather: (mayCome) => approvals.gather(mayCome),
    get open() {
      return open.size;
    },
    get waiting() {
      return waiting.size;
    },
    onWaiting(told) {
      tellWaiting = told;
    },
    settled: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}

const askedBefore = ({ caller, tool, args, seq }: RecordedCall): Ask => ({
  caller,
  name: tool,
  args,
  ...(seq === undefined ? {} : { seq }),
});
