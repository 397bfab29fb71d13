// What foreign code threw or returned, read once and totally: whatever it is, reading it neither throws nor takes more than it may.
import { type Failure, ToolError } from "../errors.ts";
import { JsonError, parseJson, toJson } from "../json.ts";
import { bounds } from "../limits.ts";
import { isOutcome, type OutcomeParts, type ToolEffect, type ToolStatus } from "../registry/outcome.ts";

const statuses: ReadonlySet<unknown> = new Set<ToolStatus>(["ok", "planned", "pending", "error"]);
const effects: ReadonlySet<unknown> = new Set<ToolEffect>(["none", "done", "accepted", "unknown"]);

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? cut(value) : undefined;

/** A text short enough to be kept and shown. */
export const cut = (value: string): string =>
  value.length <= bounds.messageChars ? value : `${value.slice(0, bounds.messageChars)}…`;

function json(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    return parseJson(toJson(value, { maxDepth: bounds.jsonDepth, maxChars: bounds.detailsChars }));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** A failure with texts that are texts, cut to their bounds, and details that are JSON and not large. */
function failureOf(given: { code?: unknown; message?: unknown; hint?: unknown; details?: unknown }): Failure {
  const { code, message, hint, details } = given;
  const readHint = text(hint);
  const readDetails = json(details);
  return {
    code: text(code)?.slice(0, 100) ?? "tool_error",
    message: text(message) ?? "the tool reported a failure and no reason",
    ...(readHint === undefined ? {} : { hint: readHint }),
    ...(readDetails === undefined ? {} : { details: readDetails }),
  };
}

/** The failure that was meant for the model, where foreign code threw one; `undefined` for everything else. */
export function expectedFailure(thrown: unknown): Failure | undefined {
  try {
    return thrown instanceof ToolError ? failureOf(thrown) : undefined;
  } catch {
    return undefined;
  }
}

/** The message of anything thrown. */
export function thrownText(thrown: unknown): string {
  try {
    const message: unknown =
      typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : thrown;
    return cut(typeof message === "string" ? message : String(message));
  } catch {
    return "an error that cannot be read";
  }
}

export interface Produced extends OutcomeParts {
  readonly status: ToolStatus;
  readonly error?: Failure;
}

/** What a tool returned, in parts; throws what reading it throws. */
export function readProduced(returned: unknown): Produced {
  if (!isOutcome(returned)) return { status: "ok", structuredContent: returned };
  const { content, structuredContent, references, status, effect, error } = returned;
  return {
    status: statuses.has(status) ? status : "ok",
    ...(content === undefined ? {} : { content }),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(references === undefined ? {} : { references }),
    ...(effects.has(effect) && effect !== undefined ? { effect } : {}),
    ...(status === "error" ? { error: failureOf(error ?? {}) } : {}),
  };
}
