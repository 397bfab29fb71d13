// The calls of one model response: form and names apply here, then the pipeline as for any call; results come back in the order of the calls.
import { askOf } from "../bridge/ask.ts";
import type { Ask } from "../bridge/call.ts";
import { isSuccess, mayWrite, type Success } from "../bridge/outcome.ts";
import { isObject } from "../is-object.ts";
import { parseJson } from "../json.ts";
import { type Failure, Fault } from "../errors.ts";
import { checkText, describe } from "../options.ts";
import type { Redactor } from "../redact.ts";
import type { OfferedTool } from "../registry/surface.ts";
import { budgetLow } from "../policy/budget.ts";
import type { UseKeys } from "./deduplicate.ts";
import { callOutcome, failureText, valueText } from "./outcome.ts";
import { bar, type Barred, keyOf, noteAnswer } from "./repeats.ts";
import { spiralFrom, spiralHelp } from "./spiral.ts";
import type { DispatchBlock, DispatchHome, ToolUse, ToolUseResult } from "./tool-use.ts";

/** Throws `invalid_options` where it is no list of calls with ids and names. */
export function checkUses(uses: readonly ToolUse[]): void {
  if (!Array.isArray(uses)) throw new Fault("invalid_options", `dispatch takes a list of calls, got ${describe(uses)}`);
  for (const [index, use] of (uses as readonly unknown[]).entries()) {
    const { id, name } = (typeof use === "object" && use !== null ? use : {}) as Partial<ToolUse>;
    checkText(`the id of call ${index + 1}`, id);
    checkText(`the name of call ${index + 1}`, name);
  }
}

export async function dispatchAll(uses: readonly ToolUse[], home: DispatchHome): Promise<DispatchBlock> {
  const results = await Promise.all(uses.map((use) => dispatchGuarded(use, home)));
  const last = results.at(-1);
  if (last !== undefined && home.isLow())
    results[results.length - 1] = { ...last, content: `${last.content}\n\n${budgetLow}` };
  const { ended } = home.emitted.loop;
  return Object.freeze({ results: Object.freeze(results), ...(ended === undefined ? {} : { ended }) });
}

async function dispatchGuarded(use: ToolUse, home: DispatchHome): Promise<ToolUseResult> {
  const key = keyOf(use, home);
  const keys = key === undefined ? undefined : keysOf(use, key, home);
  const first = keys && home.emissions.first(keys);
  if (first !== undefined)
    return { ...(await callTool(use, nameOf(use, home), home, { repeats: first })), deduplicated: true };
  if (keys === undefined || !isProgram(use, home)) return dispatchNew(use, home, key, keys);
  const { isFirst, result } = home.emissions.once(keys.use, () => dispatchNew(use, home, key, undefined));
  return isFirst ? result : { ...(await result), deduplicated: true };
}

const isProgram = (use: ToolUse, home: DispatchHome): boolean => use.name === home.codeTool && home.form !== "direct";

const offeredFor = (use: ToolUse, { surface }: DispatchHome): OfferedTool | undefined =>
  surface.byProviderName(use.name) ?? surface.find(use.name);
const nameOf = (use: ToolUse, home: DispatchHome): string => offeredFor(use, home)?.name ?? use.name;

function keysOf(use: ToolUse, key: string, home: DispatchHome): UseKeys {
  const offered = offeredFor(use, home);
  const writes = offered !== undefined && mayWrite(offered.tool.effects);
  return { use: JSON.stringify([use.id, key]), ...(writes ? { write: key } : {}) };
}

async function dispatchNew(
  use: ToolUse,
  home: DispatchHome,
  key: string | undefined,
  keys: UseKeys | undefined,
): Promise<ToolUseResult> {
  const barred = bar(use, key, home);
  const result = await dispatchOne(use, home, barred, keys);
  if (barred === undefined) noteAnswer(key, result, home);
  return result;
}

function dispatchOne(
  use: ToolUse,
  home: DispatchHome,
  barred: Barred | undefined,
  keys: UseKeys | undefined,
): Promise<ToolUseResult> {
  if (!isProgram(use, home)) {
    const more: Partial<Ask> = barred === undefined ? {} : { unusable: barred };
    return callTool(use, nameOf(use, home), home, more, barred === undefined ? keys : undefined);
  }
  return barred === undefined ? runCode(use, home) : Promise.resolve(refused(use, barred));
}

const refused = (use: ToolUse, failure: Failure): ToolUseResult => ({
  id: use.id,
  name: use.name,
  isError: true,
  content: failureText(failure),
  outcome: { status: "refused", effect: "none", error: failure },
});

function programOf(use: ToolUse): { readonly code?: unknown; readonly continue?: unknown } {
  const { args, unusable } = askOf("model", use.name, use.input);
  const input: unknown = unusable === undefined ? parseJson(args) : undefined;
  return isObject(input) ? input : {};
}

/** A program holds its place among the direct calls of the response, and runs alone among them. */
async function runCode(use: ToolUse, home: DispatchHome): Promise<ToolUseResult> {
  const { code, continue: former } = programOf(use);
  if (typeof code !== "string") {
    return refused(use, {
      code: "arguments_invalid",
      message: `${home.codeTool} takes one object with the program as text: { "code": "return 1" }`,
    });
  }
  if (former !== undefined && typeof former !== "string") {
    return refused(use, {
      code: "arguments_invalid",
      message: `continue of ${home.codeTool} is the id of a failed run as text, got ${describe(former)}`,
    });
  }
  try {
    const run = await home.step.exclusively(() => home.run(code, former));
    const isError = run.status === "failed" || run.status === "cancelled";
    const { maxTokens = 8_000 } = home;
    const help =
      run.status === "failed" && home.emitted.failed(run.error) >= spiralFrom
        ? await spiralHelp(code, run, home.surface, maxTokens * 2)
        : "";
    const told = run.toModel({ maxTokens: maxTokens - Math.ceil(help.length / 4) });
    const content = help === "" ? told : `${told}\n\n${help}`;
    return { id: use.id, name: use.name, isError, content, run };
  } catch (error) {
    // The results of the other calls of the block are worth more than the throw.
    if (!(error instanceof Fault)) throw error;
    return refused(use, failureOf(error));
  }
}

const failureOf = ({ code, message, hint }: Fault): Failure => ({
  code,
  message,
  ...(hint === undefined ? {} : { hint }),
});

const noteText = ({ note }: { readonly note?: string }): string => (note === undefined ? "" : `\nNote: ${note}`);

function withoutSecrets(outcome: Success, redactor: Redactor): Success {
  const json = redactor.text(outcome.json);
  return json === outcome.json ? outcome : { ...outcome, json, bytes: Buffer.byteLength(json) };
}

async function callTool(
  use: ToolUse,
  name: string,
  home: DispatchHome,
  more: Partial<Ask>,
  keys?: UseKeys,
): Promise<ToolUseResult> {
  let callId = "";
  const began = (id: string): void => void (callId = id);
  const outcomes = home.step.request({ ...askOf("model", name, use.input, home.signal), began, ...more });
  if (keys !== undefined) home.emissions.keep(keys, { callId, outcome: outcomes });
  const outcome = await outcomes;
  const shown = isSuccess(outcome) && home.redactor !== undefined ? withoutSecrets(outcome, home.redactor) : outcome;
  const own = isSuccess(shown) ? home.tell(home.surface, name, shown.json) : undefined;
  return {
    id: use.id,
    name: use.name,
    isError: !isSuccess(outcome),
    content: isSuccess(shown)
      ? (own?.text ?? valueText(shown, home.maxTokens, home.pages)) + noteText(shown)
      : failureText(shown.failure),
    ...(own?.references === undefined ? {} : { toolReferences: own.references }),
    outcome: callOutcome(outcome),
  };
}
