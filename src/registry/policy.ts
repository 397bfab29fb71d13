import type { Effects } from "./tool.ts";

/** What a guard or a policy sees of a call: the arguments are the one frozen value that the tool will run with. */
export interface CallView {
  readonly name: string;
  readonly source: string;
  readonly originalName: string;
  readonly args: unknown;
  /** The arguments as they came; `args` is what the tool's own schema made of them, with the real paths in their places. */
  readonly sent: unknown;
  readonly effects: Effects | undefined;
  readonly requiresApproval: boolean;
  /** The real paths that its arguments name, as far as the tool declares them; absolute, without links. */
  readonly paths: CallPaths;
  readonly via: "direct" | "code";
  readonly callId: string;
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

export interface CallPaths {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** What the call's session has been allowed, as it stands. */
export interface Grants {
  /**
   * Whether a grant in force covers the capability, and the path where one is given: absolute, as in `call.paths`. A grant
   * for one call is kept for the call that asked first, until that call has ended without running.
   */
  covers(capability: string, path?: string): boolean;
}

/** The work that a call is part of, as the host set it up; nothing in it comes from a model. */
export interface Task {
  readonly activity: Activity;
  /** From 1, in the session. */
  readonly turn: number;
  readonly session: string;
  readonly tenant: string;
  /** Something was read from a source that is marked untrusted. */
  readonly tainted: boolean;
  readonly workingFolder: string | undefined;
  /** Tools with the effect `external` run, where they are only planned otherwise. */
  readonly confirmationGated: boolean;
}

export const activityNames = ["plan", "review", "research", "act"] as const;

/** What a turn is for; all but `act` only read. */
export type Activity = (typeof activityNames)[number];

/** `undefined` is no opinion; anything else refuses the call, text being the reason. */
export type Guard = (call: CallView) => unknown;

export interface Verdict {
  readonly verdict: "allow" | "refuse" | "cancel" | "ask";
  /** A stable code of the decision and a sentence for the model. */
  readonly code?: string;
  readonly message?: string;
  /** What the model could do about a refusal. */
  readonly hint?: string;
  /** Of a question: how long its answer is waited for, in place of the limit `approvalMs`. */
  readonly expiresMs?: number;
}

export type Policy = (
  call: CallView,
  grants: Grants,
  task: Task,
) => Verdict["verdict"] | Verdict | Promise<Verdict["verdict"] | Verdict>;

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
