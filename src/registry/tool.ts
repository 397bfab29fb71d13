import type { Logger } from "../log.ts";
import type { JsonValue } from "../json.ts";
import type { Schema, SchemaInput } from "./schema.ts";
import type { UnknownKey } from "./unknown-keys.ts";

export const effectNames = ["read", "write", "external"] as const;

/** `[]` is pure; absent means unknown and counts as `write` wherever it matters. */
export type Effects = readonly (typeof effectNames)[number][];

/** `direct` is a call outside any program. */
export type Caller = "direct" | "code";

/** Bytes that are no JSON, with their media type. */
export interface BinaryPart {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What a running tool is given. */
export interface ToolContext {
  readonly signal: AbortSignal;
  readonly callId: string;
  /** Stable over retries and resumes of this call: hand it downstream as an idempotency key. */
  readonly requestId: string;
  readonly source: string;
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  /** Keeps bytes for the session, and gives what stands for them in a result; throws `ToolError` for too much. */
  reference(part: BinaryPart): {
    readonly ref: string;
    readonly type: string;
    readonly bytes: number;
    readonly hash: string;
  };
  progress(update: { readonly done?: number; readonly total?: number; readonly message?: string }): void;
  /** Calls another tool of the same surface under this call's slot; rejects with `ToolError`. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<JsonValue>;
}

export type ValidateContext = Pick<ToolContext, "tenant" | "identity" | "services" | "signal">;

export interface ToolDefinition<A = Record<string, unknown>> {
  readonly name: string;
  readonly description: string;
  /** Without one, or with `null`, the tool takes any object. */
  readonly inputSchema?: SchemaInput<A> | null;
  readonly outputSchema?: SchemaInput<unknown> | null;
  readonly effects?: Effects;
  /** Only an explicit `true` lets a call overlap another. */
  readonly parallelSafe?: boolean | ((args: A) => boolean);
  /** Runs after the schema; what it throws reaches the model with its message. */
  readonly validate?: (args: A, context: ValidateContext) => void | Promise<void>;
  /** Returns a JSON value or `outcome({...})`. */
  readonly execute: (args: A, context: ToolContext) => unknown;
  /** Which arguments are paths: `path`, `options.target`, `files[].path`; texts or arrays of texts. The tool gets the real ones. */
  readonly paths?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
  readonly keywords?: readonly string[];
  /** Who may call it: the model and the host themselves, programs, or both, which it is unless given. */
  readonly callers?: readonly Caller[];
  readonly gated?: boolean;
  readonly enabled?: boolean;
  readonly requiresApproval?: boolean;
  /** The tool honours `context.requestId` downstream. */
  readonly idempotent?: boolean;
  /** Running time of one call, over the limit `callMs`. */
  readonly timeoutMs?: number;
}

/** Any definition, whatever its arguments; `execute` is to be given only what `inputSchema` let through. */
export type AnyTool = Omit<ToolDefinition<never>, "inputSchema"> & {
  readonly inputSchema?: SchemaInput<unknown> | null;
};

/** A tool as registered: frozen, with readable schemas; `source` and `originalName` are its identity. */
export interface Tool {
  readonly name: string;
  readonly source: string;
  /** What its source calls it; `name` with the source's prefix taken off. */
  readonly originalName: string;
  readonly description: string;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly effects: Effects | undefined;
  /** Never empty, `direct` before `code`; who is not in it is neither shown the tool nor let through to it. */
  readonly callers: readonly Caller[];
  /** A hash of what is shown of it: its name, description, schemas and callers. */
  readonly fingerprint: string;
  /** The keys that its input lets through without naming them and that are most likely misspelt. */
  readonly strayKeys: (args: object) => readonly UnknownKey[];
  /** What it answers comes from a source that the host marked untrusted. */
  readonly untrusted: boolean;
  readonly definition: AnyTool;
}

/** Whether the call may overlap another: only an explicit `true` says so. */
export function classify(tool: Tool, args: unknown): boolean {
  const { parallelSafe } = tool.definition;
  if (typeof parallelSafe !== "function") return parallelSafe === true;
  try {
    return (parallelSafe as (args: unknown) => unknown)(args) === true;
  } catch {
    return false;
  }
}
