import type { Failure } from "../errors.ts";
import type { Effects } from "../registry/tool.ts";

/** What became of a call; never relabelled. `unknown`: it had started and how it ended cannot be known. */
export type Status = "ok" | "planned" | "pending" | "error" | "refused" | "cancelled" | "timeout" | "unknown";

/** What became of a call's effect on the world. `accepted`: taken, not confirmed. */
export type EffectState = "none" | "done" | "accepted" | "unknown";

export interface Success {
  readonly status: "ok" | "planned" | "pending";
  readonly effect: EffectState;
  /** The value as JSON text, exactly as it goes to a program. */
  readonly json: string;
  readonly bytes: number;
  /** What the model should hear of the call all the same. */
  readonly note?: string;
}

export interface Failed {
  readonly status: "error" | "refused" | "cancelled" | "timeout" | "unknown";
  readonly effect: EffectState;
  readonly failure: Failure;
}

export type Outcome = Success | Failed;

export const isSuccess = (outcome: Outcome): outcome is Success => "json" in outcome;

/** Whether a tool may change anything: unknown effects count as a write. */
export const mayWrite = (effects: Effects | undefined): boolean =>
  effects === undefined || effects.includes("write") || effects.includes("external");

/** What a tool's answer means for the world, where the tool does not say it itself. */
export function effectOf(
  said: { readonly status: Success["status"] | "error"; readonly effect?: EffectState } | undefined,
  effects: Effects | undefined,
): EffectState {
  if (said?.effect !== undefined) return said.effect;
  if (!mayWrite(effects) || said?.status === "planned") return "none";
  return said?.status === "pending" ? "accepted" : "done";
}

export function refuse(
  code: string,
  message: string,
  extra: { hint?: string | undefined; details?: unknown } = {},
): Failed {
  return { status: "refused", effect: "none", failure: failure(code, message, extra) };
}

export function failure(
  code: string,
  message: string,
  extra: { hint?: string | undefined; details?: unknown } = {},
): Failure {
  return {
    code,
    message,
    ...(extra.hint === undefined ? {} : { hint: extra.hint }),
    ...(extra.details === undefined ? {} : { details: extra.details }),
  };
}

/** The outcome of a call that was stopped before it started. */
export const cancelled = ({ stopped }: { readonly stopped?: string }): Failed => ({
  status: "cancelled",
  effect: "none",
  failure: failure("call_cancelled", `the call never started: ${stopped ?? "it was cancelled"}`),
});
