import type { EffectState, Status } from "../bridge/outcome.ts";
import { isSuccess, type Outcome } from "../bridge/outcome.ts";
import { readingText, type Reference } from "../bridge/references.ts";
import type { Failure } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import { describeDropped, preview } from "../preview.ts";

/** What became of a call, for the host. */
export type CallOutcome =
  | { readonly status: "ok" | "planned" | "pending"; readonly effect: EffectState; readonly value: JsonValue }
  | {
      readonly status: Exclude<Status, "ok" | "planned" | "pending">;
      readonly effect: EffectState;
      readonly error: Failure;
    };

export function callOutcome(outcome: Outcome): CallOutcome {
  const { effect } = outcome;
  if (!isSuccess(outcome)) return Object.freeze({ status: outcome.status, effect, error: outcome.failure });
  let read: { readonly value: JsonValue } | undefined;
  return Object.freeze({
    status: outcome.status,
    effect,
    // A large text is parsed only for a host that asks for its value.
    get value() {
      return (read ??= { value: parseJson(outcome.json) }).value;
    },
  });
}

/** The text that a model reads of a failed call: the message first, then the hint. */
export const failureText = ({ code, message, hint }: Failure): string =>
  `${message} [${code}]${hint === undefined ? "" : `\nHint: ${hint}`}`;

/** The text that a model reads of a value: its JSON, or where that is too long the same shape shortened, and a note that says so and how the rest is read. */
export function valueText(
  { json, bytes }: { readonly json: string; readonly bytes: number },
  maxTokens = 8_000,
  refer?: (json: string) => Reference | undefined,
): string {
  const room = Math.max(40, maxTokens * 4);
  if (json.length <= room) return json;
  const shown = preview(json, room);
  const reference = refer?.(json);
  const rest = reference === undefined ? "" : `; ${readingText(reference)} in a program reads the rest`;
  return `${shown.json}\n(shortened from ${bytes} bytes: ${describeDropped(shown)}${rest})`;
}
