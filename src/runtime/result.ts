import type { RecordEntry } from "../bridge/record.ts";
import type { Reference } from "../bridge/references.ts";
import type { JsonValue } from "../json.ts";
import type { Truncation } from "../preview.ts";

export interface ConsoleLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** Spans in ms, each charged apart; calls that overlap add up. */
export interface Usage {
  /** Guest CPU: what the program itself computed. */
  readonly cpuMs: number;
  /** Guest idle: what the program waited for calls and timers. */
  readonly idleMs: number;
  /** What calls waited for their turn, and the program for a sandbox process after it had given its own up or lost it. */
  readonly queueMs: number;
  /** What tools ran. */
  readonly toolMs: number;
  /** What was waited for people. */
  readonly humanMs: number;
  /** From the request to the result. */
  readonly wallMs: number;
  /** The part of it before the program started: compiling and waiting for a sandbox process. */
  readonly startMs: number;
  readonly calls: number;
  readonly resultBytes: number;
}

export interface ProgramError {
  readonly code: string;
  /** The class of what was thrown, where something was. */
  readonly name?: string;
  readonly message: string;
  readonly hint?: string;
  /** The place in the text that the model gave, from 1, and the lines around it. */
  readonly line?: number;
  readonly column?: number;
  readonly frame?: string;
  /** The `cause` of what was thrown, and its own, each as name and message. */
  readonly cause?: string;
  readonly details?: unknown;
}

/** A call that waits for a person; `session.resume(runId, { [callId]: answer })` goes on with the run. */
export interface PendingApproval {
  readonly callId: string;
  readonly tool: string;
  readonly source: string;
  readonly args: unknown;
  readonly code: string;
  readonly reason: string;
}

export interface ModelTextOptions {
  /** Estimated as a quarter of the characters; 8,000 unless given. */
  readonly maxTokens?: number;
}

interface RunBase {
  readonly runId: string;
  /** The record's entries, in the order asked. */
  readonly calls: readonly RecordEntry[];
  readonly console: readonly ConsoleLine[];
  readonly warnings: readonly string[];
  /** What the program handed on with `show`, in that order; `session.reference(ref)` has the bytes. */
  readonly shown: readonly Reference[];
  readonly usage: Usage;
  /** What the model reads of the run. */
  toModel(options?: ModelTextOptions): string;
}

export type RunResult = RunBase &
  (
    | {
        readonly status: "completed";
        readonly value: JsonValue;
        readonly truncated?: Truncation;
        /** Of the whole value where it is large: a later program of the session reads it with `results.get`. */
        readonly reference?: Reference;
      }
    | { readonly status: "failed"; readonly error: ProgramError }
    | { readonly status: "cancelled"; readonly error: ProgramError }
    | { readonly status: "suspended"; readonly pending: readonly PendingApproval[] }
  );

type WithoutText<T> = T extends unknown ? Omit<T, "toModel"> : never;
export type RunParts = WithoutText<RunResult>;
