import type { Effects } from "./tool.ts";

/** What a guard or a policy sees of a call: the arguments are the one frozen value that the tool will run with. */
export interface CallView {
  readonly name: string;
  readonly source: string;
  readonly originalName: string;
  readonly args: unknown;
  readonly effects: Effects | undefined;
  readonly requiresApproval: boolean;
  readonly via: "direct" | "code";
  readonly callId: string;
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** `undefined` is no opinion; anything else refuses the call, text being the reason. */
export type Guard = (call: CallView) => unknown;

export interface Verdict {
  readonly verdict: "allow" | "refuse" | "cancel" | "ask";
  /** A stable code of the decision and a sentence for the model. */
  readonly code?: string;
  readonly message?: string;
}

export type Policy = (call: CallView) => Verdict["verdict"] | Verdict | Promise<Verdict["verdict"] | Verdict>;

/** A guard in force, with the scope it was registered in. */
export interface PlacedGuard {
  readonly name: string;
  readonly scope: string;
  readonly guard: Guard;
}

export interface PlacedPolicy {
  readonly scope: string;
  readonly policy: Policy;
}
