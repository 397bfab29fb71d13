// The calls of one model response: form and names apply here, then the pipeline as for any call; results come back in the order of the calls.
import { askOf } from "../bridge/ask.ts";
import { isSuccess } from "../bridge/outcome.ts";
import type { Step } from "../bridge/step.ts";
import { parseJson } from "../json.ts";
import { type Failure, Fault } from "../errors.ts";
import { checkText, describe } from "../options.ts";
import type { Form } from "../registry/composition.ts";
import type { Surface } from "../registry/surface.ts";
import type { RunResult } from "../runtime/result.ts";
import { callOutcome, type CallOutcome, failureText, valueText } from "./outcome.ts";

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolUseResult {
  readonly id: string;
  readonly name: string;
  readonly isError: boolean;
  /** What the model reads. */
  readonly content: string;
  readonly outcome?: CallOutcome;
  /** Of the code tool. */
  readonly run?: RunResult;
}

export interface DispatchBlock {
  readonly results: readonly ToolUseResult[];
}

export interface DispatchHome {
  readonly form: Form;
  readonly codeTool: string;
  readonly surface: Surface;
  readonly step: Step;
  readonly signal: AbortSignal;
  readonly maxTokens: number | undefined;
  readonly run: (code: string) => Promise<RunResult>;
}

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
  const results = await Promise.all(uses.map((use) => dispatchOne(use, home)));
  return Object.freeze({ results: Object.freeze(results) });
}

function dispatchOne(use: ToolUse, home: DispatchHome): Promise<ToolUseResult> {
  if (use.name === home.codeTool && home.form !== "direct") return runCode(use, home);
  if (home.form === "code") return Promise.resolve(refused(use, directRefusal(use, home)));
  const offered = home.surface.byProviderName(use.name) ?? home.surface.find(use.name);
  return callTool(use, offered?.name ?? use.name, home);
}

function directRefusal(use: ToolUse, home: DispatchHome): Failure {
  const offered = home.surface.byProviderName(use.name) ?? home.surface.find(use.name);
  const accessor = `tools.${offered?.alias ?? offered?.name ?? use.name.slice(0, 100)}`;
  return {
    code: "direct_call_refused",
    message: `only ${home.codeTool} can be called directly here; reach other tools from inside a program`,
    hint: `call ${home.codeTool} with code such as: return await ${accessor}({ ... })`,
  };
}

const refused = (use: ToolUse, failure: Failure): ToolUseResult => ({
  id: use.id,
  name: use.name,
  isError: true,
  content: failureText(failure),
  outcome: { status: "refused", effect: "none", error: failure },
});

function codeOf(use: ToolUse): unknown {
  const { args, unusable } = askOf("model", use.name, use.input);
  const input: unknown = unusable === undefined ? parseJson(args) : undefined;
  return typeof input === "object" && input !== null && "code" in input ? input.code : undefined;
}

/** A program holds its place among the direct calls of the response, and runs alone among them. */
async function runCode(use: ToolUse, home: DispatchHome): Promise<ToolUseResult> {
  const code = codeOf(use);
  if (typeof code !== "string") {
    return refused(use, {
      code: "arguments_invalid",
      message: `${home.codeTool} takes one object with the program as text: { "code": "return 1" }`,
    });
  }
  try {
    const run = await home.step.exclusively(() => home.run(code));
    const isError = run.status === "failed" || run.status === "cancelled";
    const content = run.toModel(home.maxTokens === undefined ? {} : { maxTokens: home.maxTokens });
    return { id: use.id, name: use.name, isError, content, run };
  } catch (error) {
    // The results of the other calls of the block are worth more than the throw.
    if (!(error instanceof Fault)) throw error;
    return refused(use, { code: error.code, message: error.message });
  }
}

const noteText = ({ note }: { readonly note?: string }): string => (note === undefined ? "" : `\nNote: ${note}`);

async function callTool(use: ToolUse, name: string, home: DispatchHome): Promise<ToolUseResult> {
  const outcome = await home.step.request(askOf("model", name, use.input, home.signal));
  const told = callOutcome(outcome);
  return {
    id: use.id,
    name: use.name,
    isError: !isSuccess(outcome),
    content: isSuccess(outcome) ? valueText(outcome, home.maxTokens) + noteText(outcome) : failureText(outcome.failure),
    outcome: told,
  };
}
