import { type Assembled, assemblePrompt } from "../prompt/assemble.ts";
import { estimateTokens } from "../prompt/catalogue.ts";
import { present } from "../prompt/present.ts";
import type { Form } from "../registry/composition.ts";
import { readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { openConfig } from "./open.ts";
import { escaped, printable } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

export interface PromptOptions {
  readonly config: string;
  readonly model?: string;
  /** That of the configuration unless given. */
  readonly form?: Form;
  readonly json?: boolean;
}

export const forms: readonly Form[] = ["direct", "code", "both"];

/** `codecall prompt`: all that a model is told in text, the declarations included, on stdout, and what each part costs on stderr. */
export async function prompt(
  options: PromptOptions,
  { result, notes }: Stdio,
  { signal }: Interruption,
): Promise<number> {
  const config = readConfig(options.config);
  await using opened = await openConfig(config, noteLogger(notes, false), signal);
  const surface = opened.deployment.surface();
  const form = options.form ?? config.form;
  const told = present(surface, { form, declareIn: "prompt", declarationTokens: Infinity });
  const assembled = await assemblePrompt(surface.instructions, told.promptText, {
    model: options.model,
    workingFolder: undefined,
    text: undefined,
    activity: undefined,
    tenant: "default",
    identity: undefined,
    session: "prompt",
    turn: 1,
    signal,
  });
  const { text, parts, context } = assembled;
  const warnings = [...told.warnings, ...assembled.warnings].map(({ message }) => message);
  const tokens = estimateTokens(text);
  result.write(
    options.json === true
      ? `${escaped(JSON.stringify({ text, tokens, parts, context, warnings }))}\n`
      : textOf(assembled),
  );
  for (const line of costs(assembled)) notes.line(line);
  if (form !== "direct") notes.line(whereDeclared);
  for (const warning of warnings) notes.warn(warning);
  if (text === "") notes.warn(`${options.config} configures nothing that a model is told`);
  for (const failure of opened.failures) notes.fail(failure.message, failure.hint);
  return opened.failures.length === 0 ? exits.completed : exits.failed;
}

/** A configuration has no `declareIn`, so what is composed of it declares in the code tool. */
const whereDeclared =
  'guidance and declarations are shown here as part of the prompt; an agent has them in the description of its code tool unless its deployment says declareIn: "prompt"';

const textOf = ({ text, context }: Assembled): string =>
  [text, context ?? ""]
    .filter((message) => message !== "")
    .map((message) => `${printable(message)}\n`)
    .join("\n");

/** A line for each part and one for all, the tokens in front. */
function costs({ parts, context, text }: Assembled): readonly string[] {
  const rows = [
    ...parts.map(({ kind, name, tokens }) => [tokens, kind === name ? kind : `${kind} ${name}`] as const),
    [estimateTokens(text), "in all"] as const,
    ...(context === undefined ? [] : [[estimateTokens(context), "runtime context"] as const]),
  ];
  const width = Math.max(...rows.map(([tokens]) => String(tokens).length));
  return [
    "tokens, four characters each:",
    ...rows.map(([tokens, what]) => `${String(tokens).padStart(width)}  ${what}`),
  ];
}
