import type { EffectState, Status } from "../bridge/outcome.ts";
import { isSuccess, type Outcome } from "../bridge/outcome.ts";
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
  return Object.freeze(
    isSuccess(outcome)
      ? { status: outcome.status, effect: outcome.effect, value: parseJson(outcome.json) }
      : { status: outcome.status, effect: outcome.effect, error: outcome.failure },
  );
}

/** The text that a model reads of a failed call: the message first, then the hint. */
export const failureText = ({ code, message, hint }: Failure): string =>
  `${message} [${code}]${hint === undefined ? "" : `\nHint: ${hint}`}`;

/** The text that a model reads of a value: its JSON, or where that is too long the same shape shortened, and a note that says so. */
export function valueText(
  { json, bytes }: { readonly json: string; readonly bytes: number },
  maxTokens = 8_000,
): string {
  const room = Math.max(40, maxTokens * 4);
  if (json.length <= room) return json;
  const shown = preview(parseJson(json), room);
  return `${JSON.stringify(shown.value)}\n(shortened from ${bytes} bytes: ${describeDropped(shown.dropped)})`;
}
