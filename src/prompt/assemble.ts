// The opening message: identity line, persona prefix, sections, tool descriptions, persona suffix, with one blank line
// between each two that say something. Whatever is wrong with a part refuses the whole, naming the part: a prompt with a
// gap is worse than none.
import { Fault } from "../errors.ts";
import type { Instructions, Placed, PromptRequest, Section } from "../registry/instructions.ts";
import type { Warning } from "../registry/warning.ts";
import { adjusted, type SettledSection } from "./adjust.ts";
import { textOf } from "./ask.ts";
import { estimateTokens } from "./catalogue.ts";
import { takeSnapshot } from "./context.ts";
import { joined, type PartKind, trimmed } from "./parts.ts";
import { crowded, inOrder } from "./sections.ts";
import { fill, type Fillable } from "./variables.ts";

export interface PromptPart {
  readonly kind: PartKind;
  /** Of the section or piece. */
  readonly name: string;
  readonly text: string;
  /** Four characters each. */
  readonly tokens: number;
}

export interface Assembled {
  /** Empty where no part says anything. */
  readonly text: string;
  /** What `text` is joined from, in order. */
  readonly parts: readonly PromptPart[];
  /** The runtime context, which is a message of its own; absent where there is none. */
  readonly context: string | undefined;
  readonly warnings: readonly Warning[];
}

/**
 * Assembles the prompt of one request; `describeTools` gives its part on tools. Rejects with `prompt_invalid` where parts do
 * not fit together, with `prompt_failed` where a function of the host fails or does not answer, and with the reason of the
 * request's signal.
 */
export async function assemblePrompt(
  instructions: Instructions,
  describeTools: () => string,
  request: PromptRequest,
): Promise<Assembled> {
  const given = Object.freeze({ ...request });
  const sections = inOrder(instructions.sections);
  const complete = sections.filter((section) => section.complete);
  if (complete.length > 1) {
    const names = complete.map(({ name }) => name);
    throw new Fault("prompt_invalid", `multiple complete prompt sections are active: ${names.join(", ")}`, {
      details: { sections: names },
    });
  }
  const [only] = complete;
  return only === undefined
    ? assembleAll(instructions, sections, describeTools, given)
    : assembleOne(instructions, only, given);
}

async function assembleAll(
  instructions: Instructions,
  sections: readonly Placed<Section>[],
  describeTools: () => string,
  request: PromptRequest,
): Promise<Assembled> {
  const tools = describeTools();
  const [settled, context] = await Promise.all([settle(sections, request), takeSnapshot(instructions, request)]);
  const shown = await adjusted(settled, instructions.adjusters, request);
  const { identity, prefix, suffix, variables } = instructions;
  const parts = await filled(
    [
      ...(identity === undefined ? [] : [{ kind: "identity", name: "identity", text: identity, fill: true } as const]),
      ...prefix.map(({ name, text }) => ({ kind: "prefix", name, text, fill: true }) as const),
      ...shown.map(({ name, text, fill: isFilled }) => ({ kind: "section", name, text, fill: isFilled }) as const),
      { kind: "tools", name: "tools", text: tools, fill: false },
      ...suffix.map(({ name, text }) => ({ kind: "suffix", name, text, fill: true }) as const),
    ],
    variables,
    request,
  );
  const said = parts.map((part) => ({ ...part, text: trimmed(part.text) })).filter(({ text }) => text !== "");
  return finish(joined(said.map(({ text }) => text)), said, context, crowded(shown));
}

/** Exactly the text of the section that claims the whole prompt; nothing else is asked for anything. */
async function assembleOne(
  { variables }: Instructions,
  { name, text, fill: isFilled }: Section,
  request: PromptRequest,
): Promise<Assembled> {
  const given = (await textOf(`prompt section "${name}"`, text, request)) ?? "";
  const parts = await filled([{ kind: "section", name, text: given, fill: isFilled }], variables, request);
  const said = parts.filter((part) => part.text.trim() !== "");
  return finish(said[0]?.text ?? "", said, undefined, []);
}

interface Said {
  readonly kind: PromptPart["kind"];
  readonly name: string;
  readonly text: string;
}

function finish(
  text: string,
  said: readonly Said[],
  context: string | undefined,
  warnings: readonly Warning[],
): Assembled {
  const parts = said.map((part) => Object.freeze({ ...part, tokens: estimateTokens(part.text) }));
  return Object.freeze({ text, parts: Object.freeze(parts), context, warnings });
}

/** Sections with the text they have in this request, without those that have none. */
async function settle(
  sections: readonly Placed<Section>[],
  request: PromptRequest,
): Promise<readonly SettledSection[]> {
  const texts = await Promise.all(sections.map(({ name, text }) => textOf(`prompt section "${name}"`, text, request)));
  return sections.flatMap(({ name, order, fill: isFilled }, index) => {
    const text = texts[index];
    return text === undefined ? [] : [Object.freeze({ name, order, text, fill: isFilled })];
  });
}

async function filled(
  parts: readonly Fillable[],
  variables: Instructions["variables"],
  request: PromptRequest,
): Promise<readonly Said[]> {
  const texts = await fill(parts, variables, request);
  return parts.map(({ kind, name }, index) => ({ kind, name, text: texts[index] ?? "" }));
}
