import { JsonError, parseJson, toJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { describeIssues, type Parsed } from "../../registry/schema.ts";
import type { OfferedTool } from "../../registry/surface.ts";
import type { Call, Stage, StepState } from "../call.ts";
import { cut, expectedFailure, thrownText } from "../foreign.ts";
import { cancelled, effectOf, type EffectState, failure, type Outcome, refuse } from "../outcome.ts";
import { shownName } from "./admit.ts";
import { andThen, waitFor } from "./waiting.ts";

/** Fails what did not parse, then asks the tool's own `validate`. */
export const validate: Stage = (call, step) => {
  const { offered, parsed } = call;
  if (offered === undefined || parsed === undefined) throw new Error("a call is validated before it was offered");
  if (!parsed.ok) {
    return refuse(
      "arguments_invalid",
      `${shownName(call, offered)} was called with arguments that do not match its input: ${describeIssues(parsed.issues)}`,
      {
        details: { issues: parsed.issues.slice(0, 10) },
      },
    );
  }
  noteMisspelt(call, offered);
  const own = offered.tool.definition.validate as ((args: unknown, context: unknown) => unknown) | undefined;
  if (own === undefined) return undefined;
  const context = {
    tenant: step.tenant,
    identity: step.identity,
    services: step.services,
    get signal() {
      return call.controller().signal;
    },
  };
  const timeoutMs = offered.tool.definition.timeoutMs ?? step.limits.callMs;
  return andThen(
    waitFor(call, () => own(call.args, context), timeoutMs),
    (waited) => {
      if (waited.kind === "value") return undefined;
      if (waited.kind === "stopped") return cancelled(call);
      if (waited.kind === "late") {
        return refuse(
          "call_timeout",
          `${offered.name} did not answer whether its arguments are valid within ${timeoutMs} ms`,
        );
      }
      const hint = expectedFailure(waited.error)?.hint;
      return refuse("arguments_invalid", thrownText(waited.error), { hint });
    },
  );
};

/** A key that the schema lets through and nearly is one that it names was hardly meant. */
function noteMisspelt(call: Call, { name, tool }: OfferedTool): void {
  const strays = tool.strayKeys(call.sent as object);
  if (strays.length === 0) return;
  const told = strays.map(({ key, didYouMean }) => `"${cut(key)}" (did you mean "${didYouMean}"?)`);
  call.note = `${name} was given arguments that it does not declare: ${told.join(", ")}`;
}

/** What the tool produced becomes JSON text, is measured, and is checked against the output schema before it is kept. */
export const validateResult: Stage = (call, step) => {
  const { offered, produced } = call;
  if (offered === undefined || produced === undefined) throw new Error("a result is validated before the call ran");
  const effect = effectOf(produced, offered.tool.effects);
  const { structuredContent, content, references } = produced;
  const value = structuredContent === undefined ? (content ?? references ?? null) : structuredContent;
  let json: string;
  try {
    json = toJson(value, { maxDepth: bounds.jsonDepth, maxChars: step.limits.resultBytes });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.kind === "too_large"
      ? tooLarge(offered.name, step, effect)
      : failed("result_not_json", `${offered.name} ran, but its result cannot be told: ${error.message}`, effect);
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > step.limits.resultBytes) return tooLarge(offered.name, step, effect);
  call.json = json;
  call.bytes = bytes;
  const { output } = offered.tool;
  if (output === undefined || produced.status === "error") return undefined;
  const judge = (parsed: Parsed): Outcome | undefined =>
    parsed.ok
      ? undefined
      : failed(
          "result_invalid",
          `${offered.name} ran, but its result does not match its output schema: ${describeIssues(parsed.issues)}`,
          effect,
          {
            issues: parsed.issues.slice(0, 10),
          },
        );
  const timeoutMs = offered.tool.definition.timeoutMs ?? step.limits.callMs;
  const parsing = waitFor(call, () => output.parse(parseJson(json)), timeoutMs);
  return andThen(parsing, (waited) => {
    if (waited.kind === "value") return judge(waited.value);
    const why =
      waited.kind === "late" ? `within ${timeoutMs} ms` : waited.kind === "stopped" ? "before it was stopped" : "";
    if (waited.kind === "threw") step.logger.error("an output schema threw", { callId: call.id, cause: waited.error });
    return failed(
      "result_invalid",
      `${offered.name} ran, but its result could not be checked ${why}`.trimEnd(),
      effect,
    );
  });
};

function failed(code: string, message: string, effect: EffectState, details?: unknown, hint?: string): Outcome {
  return { status: "error", effect, failure: failure(code, message, { details, hint }) };
}

function tooLarge(name: string, step: StepState, effect: EffectState): Outcome {
  const message = `${name} ran, but its result is over ${step.limits.resultBytes} bytes of JSON`;
  return failed("result_too_large", message, effect, undefined, "ask for less: a page, a filter, fewer fields");
}
