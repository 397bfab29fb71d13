import { type Failure, Fault } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { BinaryPart } from "./tool.ts";

export type ToolStatus = "ok" | "planned" | "pending" | "error";
export type ToolEffect = "none" | "done" | "accepted" | "unknown";

/** What a tool may say of a result beyond its bare value; one of content, structured content, references and error is there. */
export interface OutcomeParts {
  readonly content?: string | readonly JsonValue[];
  /** What the output schema checks and a program gets; not yet checked for being JSON. */
  readonly structuredContent?: unknown;
  /** Bytes are kept, and a reference to them goes on. */
  readonly references?: readonly (JsonValue | BinaryPart)[];
  /** `ok` unless given, `error` where there is an error. */
  readonly status?: ToolStatus;
  readonly effect?: ToolEffect;
  readonly error?: Failure;
}

const brand: unique symbol = Symbol.for("codecall.outcome");

export interface ToolOutcome extends OutcomeParts {
  readonly status: ToolStatus;
  readonly [brand]: true;
}

const statuses: readonly unknown[] = ["ok", "planned", "pending", "error"] satisfies ToolStatus[];
const effects: readonly unknown[] = ["none", "done", "accepted", "unknown"] satisfies ToolEffect[];
const fields = ["content", "structuredContent", "references", "status", "effect", "error"];

/** What `execute` returns where a bare value does not say enough; throws `invalid_tool` for parts that contradict. */
export function outcome(parts: OutcomeParts): ToolOutcome {
  const {
    content,
    structuredContent,
    references,
    error,
    effect,
    status = error === undefined ? "ok" : "error",
  } = parts;
  const unknown = Object.keys(parts).find((key) => !fields.includes(key));
  if (unknown !== undefined) throw invalid(`has no part "${unknown}"; the parts are ${fields.join(", ")}`);
  if ([content, structuredContent, references, error].every((part) => part === undefined)) {
    throw invalid("needs at least one of content, structuredContent, references and error");
  }
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content))
    throw invalid("content must be text or an array");
  if (references !== undefined && !Array.isArray(references)) throw invalid("references must be an array");
  if (!statuses.includes(status)) throw invalid(`status must be one of ${statuses.join(", ")}, got ${String(status)}`);
  if (effect !== undefined && !effects.includes(effect))
    throw invalid(`effect must be one of ${effects.join(", ")}, got ${String(effect)}`);
  if (error !== undefined && status !== "error") throw invalid(`an error contradicts status ${status}`);
  if (error !== undefined && (typeof error.code !== "string" || typeof error.message !== "string")) {
    throw invalid("error must have a code and a message, both text");
  }
  return Object.freeze({ ...parts, status, [brand]: true as const });
}

export function isOutcome(value: unknown): value is ToolOutcome {
  return typeof value === "object" && value !== null && (value as Partial<ToolOutcome>)[brand] === true;
}

const invalid = (what: string): Fault => new Fault("invalid_tool", `outcome: ${what}`);
