// C9: a tool runs until it gives an answer that stays. What may pass by itself is tried again after a growing pause, while the
// call keeps its place in the queue and its one time limit: the tool clock runs through the pauses.
import { ToolError } from "../../errors.ts";
import { bounds } from "../../limits.ts";
import type { OfferedTool } from "../../registry/surface.ts";
import { backoffMs } from "../backoff.ts";
import type { Call, StepState } from "../call.ts";
import { type Failed, failure, mayWrite, type Outcome } from "../outcome.ts";
import type { Transient } from "../transient.ts";

/** What one attempt came to; no outcome where it produced something. */
export interface Tried {
  readonly outcome: Outcome | undefined;
  readonly transient?: Transient | undefined;
}

export interface Attempts {
  readonly offered: OfferedTool;
  /** Never rejects. */
  readonly invoke: () => Promise<Tried>;
  /** Writes the next attempt down; resolves once that is durable, where it has to be. */
  readonly intend: (attempt: number) => Promise<void> | undefined;
  readonly aborted: (answered: boolean) => Failed;
  readonly keepLate: (outcome: Outcome | undefined) => void;
}

export function runAttempts(call: Call, step: StepState, attempts: Attempts): Promise<Outcome | undefined> {
  const { offered, invoke, intend, aborted, keepLate } = attempts;
  const writes = mayWrite(offered.tool.effects);
  const { idempotent, timeoutMs = step.limits.callMs } = offered.tool.definition;
  const most = writes && idempotent !== true ? 1 : step.limits.attempts;
  const startedAt = performance.now();

  return new Promise((resolve) => {
    let over = false;
    // An attempt before this one may have taken effect: in this process, or in one that was lost.
    let isUnsure = writes && (call.recorded?.attempts ?? 0) > 0;
    let silence: NodeJS.Timeout | undefined;
    let pause: NodeJS.Timeout | undefined;

    const finish = (outcome: Outcome | undefined): void => {
      over = true;
      clearTimeout(timer);
      clearTimeout(silence);
      clearTimeout(pause);
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

    function attempt(number: number): void {
      call.onStop = () => {
        delete call.onStop;
        silence = setTimeout(() => finish(aborted(false)), bounds.signalMs);
      };
      delete call.produced;
      // The calls that it makes stand where those of the last attempt stood.
      call.made = 0;
      void invoke().then((tried) => {
        if (over) return keepLate(tried.outcome);
        return goOn(number, tried);
      });
    }

    function goOn(number: number, { outcome, transient }: Tried): void {
      const failed = outcome !== undefined && "failure" in outcome ? outcome : undefined;
      if (failed === undefined) return finish(outcome);
      isUnsure ||= failed.effect === "unknown";
      const unsure: Failed = isUnsure && failed.effect === "none" ? { ...failed, effect: "unknown" } : failed;
      if (transient === undefined || most === 1 || call.stopped !== undefined) return finish(unsure);
      const waitMs = backoffMs(number, (step.random ?? Math.random)(), transient.retryAfterMs);
      const isInTime = performance.now() - startedAt + waitMs < timeoutMs;
      if (number >= most || !isInTime) {
        const late = number < most ? `, and the next would begin after its ${timeoutMs} ms on the tool clock` : "";
        return finish(exhausted(offered.name, number, late, unsure));
      }
      call.onStop = () =>
        finish(isUnsure ? { ...aborted(true), effect: "unknown" } : { ...aborted(true), effect: "none" });
      pause = setTimeout(() => {
        const durable = intend(number + 1);
        if (durable === undefined) return attempt(number + 1);
        void durable.then(
          () => (over ? undefined : attempt(number + 1)),
          // What cannot be written down does not begin.
          () => (over ? undefined : finish(unsure)),
        );
        return undefined;
      }, waitMs);
      return undefined;
    }

    attempt(1);
  });
}

function exhausted(name: string, attempts: number, late: string, last: Failed): Failed {
  const { code, message, hint, details } = last.failure;
  const times = attempts === 1 ? "in 1 attempt" : `in each of ${attempts} attempts`;
  return {
    ...last,
    failure: failure("retries_exhausted", `${name} failed ${times}${late}: ${message}`, {
      hint,
      details: { attempts, last: { code, message, ...(details === undefined ? {} : { details }) } },
    }),
  };
}
