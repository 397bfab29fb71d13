import { ToolError } from "../../errors.ts";
import { JsonError, parseJson } from "../../json.ts";
import { headOfJson } from "../../json-head.ts";
import { toJsonInSlices } from "../../json-slices.ts";
import { bounds } from "../../limits.ts";
import { describeIssues, type Parsed } from "../../registry/schema.ts";
import { providedSource } from "../../registry/provided.ts";
import type { OfferedTool } from "../../registry/surface.ts";
import type { Call, Stage, StepState } from "../call.ts";
import { cut, expectedFailure, thrownText } from "../foreign.ts";
import { cancelled, effectOf, failure, type Outcome, refuse } from "../outcome.ts";
import { isReference, keepParts, referencesNote } from "../kept-parts.ts";
import { jsonType, readingText } from "../references.ts";
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
          `${offered.name} did not answer whether its arguments are valid within ${timeoutMs} ms on the tool clock`,
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
  const { structuredContent, content } = produced;
  const refuseValue = (error: unknown): Outcome => cannotCross(call, step, error);
  const next = (json: string): ReturnType<Stage> => keepResult(call, step, json);
  try {
    const references = produced.references === undefined ? undefined : keepParts(step.references, produced.references);
    const value = structuredContent === undefined ? (content ?? references ?? null) : structuredContent;
    if (references !== undefined && value !== references) noteReferences(call, offered, references);
    // What is over the limit is still kept for a reference, up to what a program could have returned itself.
    const maxChars = isResultKept(offered)
      ? Math.max(step.limits.resultBytes, bounds.transferBytes)
      : step.limits.resultBytes;
    const json = toJsonInSlices(value, { maxDepth: bounds.jsonDepth, maxChars });
    return typeof json === "string" ? next(json) : json.then(next, refuseValue);
  } catch (error) {
    return refuseValue(error);
  }
};

/** Of what comes from a reference none is made again. */
const isResultKept = ({ tool }: OfferedTool): boolean => tool.source !== providedSource;

/** A program does not see references that stand beside its value. */
function noteReferences(call: Call, { name }: OfferedTool, references: readonly unknown[]): void {
  const told = referencesNote(name, references.filter(isReference));
  if (told !== undefined) call.note = call.note === undefined ? told : `${call.note}; ${told}`;
}

function cannotCross(call: Call, step: StepState, error: unknown): Outcome {
  if (error instanceof ToolError)
    return failed(call, error.code, `${call.offered?.name ?? ""} ran, but ${error.message}`);
  if (!(error instanceof JsonError)) throw error;
  const name = call.offered?.name ?? "";
  if (error.kind === "too_large") return tooLarge(call, name, step);
  return failed(call, "result_not_json", `${name} ran, but its result cannot be told: ${error.message}`);
}

/** Keeps the result, unless it is too large or the output schema does not let it through. */
function keepResult(call: Call, step: StepState, json: string): ReturnType<Stage> {
  const { offered, produced } = call;
  if (offered === undefined) throw new Error("a result is kept before the call was offered");
  const { name, tool } = offered;
  const bytes = Buffer.byteLength(json);
  if (bytes > step.limits.resultBytes) return tooLarge(call, name, step, json);
  call.json = json;
  call.bytes = bytes;
  const { output } = tool;
  if (output === undefined || produced?.status === "error") return undefined;
  const timeoutMs = tool.definition.timeoutMs ?? step.limits.callMs;
  const parsing = waitFor(call, () => output.parseText(json, () => call.controller().signal), timeoutMs);
  return andThen(parsing, (waited) => {
    if (waited.kind === "value") return judge(call, name, waited.value);
    const why =
      waited.kind === "late"
        ? `within ${timeoutMs} ms on the tool clock`
        : waited.kind === "stopped"
          ? "before it was stopped"
          : "";
    if (waited.kind === "threw") step.logger.error("an output schema threw", { callId: call.id, cause: waited.error });
    return failed(call, "result_invalid", `${name} ran, but its result could not be checked ${why}`.trimEnd());
  });
}

function judge(call: Call, name: string, parsed: Parsed): Outcome | undefined {
  if (parsed.ok) return undefined;
  const told = describeIssues(parsed.issues);
  const details = { issues: parsed.issues.slice(0, 10) };
  return failed(call, "result_invalid", `${name} ran, but its result does not match its output schema: ${told}`, {
    details,
  });
}

function failed(call: Call, code: string, message: string, extra: { details?: unknown; hint?: string } = {}): Outcome {
  const effect = effectOf(call.produced, call.offered?.tool.effects);
  return { status: "error", effect, failure: failure(code, message, extra) };
}

const askForLess = "ask for less: a page, a filter, fewer fields";

/** What was produced is kept where there is a way to read it in parts. */
function tooLarge(call: Call, name: string, step: StepState, json?: string): Outcome {
  const message = `${name} ran, but its result is over ${step.limits.resultBytes} bytes of JSON`;
  if (json === undefined || call.offered === undefined || !isResultKept(call.offered))
    return failed(call, "result_too_large", message, { hint: askForLess });
  const reference = step.references.keep(jsonType, json);
  const hint = `read it in parts in a program: ${readingText(reference)}; or ${askForLess}`;
  const details = { reference, preview: parseJson(headOfJson(json, bounds.headChars)) };
  return failed(call, "result_too_large", message, { hint, details });
}
