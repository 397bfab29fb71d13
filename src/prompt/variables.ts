// Instruction text is a template with one syntax, `{{name}}`: any other closed pair of double braces is refused, and what
// a variable stands for is put in as it is. A text is read once, from left to right, in time linear in its length.
import { Fault } from "../errors.ts";
import { type PromptRequest, type PromptText, suppliedVariables } from "../registry/instructions.ts";
import { textOf } from "./ask.ts";
import type { PartKind } from "./parts.ts";

/** Literal text and names of variables by turns: the first, third, … are literal. */
export type Template = readonly string[];

const shownChars = 100;

/** A part of the prompt, as messages name it. */
export interface Place {
  readonly kind: PartKind;
  readonly name: string;
}

const words: Readonly<Record<PartKind, string>> = {
  identity: "the identity line",
  prefix: "persona prefix",
  section: "section",
  tools: "the tool descriptions",
  suffix: "persona suffix",
};

const called = ({ kind, name }: Place): string => (kind === name ? words[kind] : `${words[kind]} "${name}"`);

/** Throws `prompt_invalid`, naming the place, at the first reference that is malformed or whose name is not registered. */
export function readTemplate(text: string, place: Place, registered: ReadonlySet<string>): Template {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    const close = open < 0 ? -1 : text.indexOf("}}", open + 2);
    if (close < 0) break;
    const name = text.slice(open + 2, close);
    if (!registered.has(name)) throw unusable(name, place, registered);
    parts.push(text.slice(from, open), name);
    from = close + 2;
  }
  parts.push(text.slice(from));
  return parts;
}

function unusable(name: string, place: Place, registered: ReadonlySet<string>): Fault {
  const names = [...registered].toSorted((a, b) => (a < b ? -1 : 1)).join(", ");
  const isWellFormed = /^[a-z][a-z0-9_]*$/.test(name);
  const reference = `{{${name}}}`;
  const shown = reference.length > shownChars ? `${reference.slice(0, shownChars)}…` : reference;
  const remedy = isWellFormed
    ? "register it with scope.variable"
    : "write a reference as {{name}}, of lowercase letters, digits and _, without spaces";
  const instead = place.kind === "section" ? ", or keep the braces of the section with fill: false" : "";
  return new Fault(
    "prompt_invalid",
    `${isWellFormed ? "unknown" : "malformed"} prompt variable "${shown}" in ${called(place)}; the registered variables are ${names}`,
    {
      hint: remedy + instead,
      details: { [place.kind]: place.name, variable: name.slice(0, shownChars) },
    },
  );
}

/** A text whose references are to be filled in, or that is kept as it is. */
export interface Fillable extends Place {
  readonly text: string;
  readonly fill: boolean;
}

/** The texts with their variables filled in, each variable asked for its value once, and only where a text names it. */
export async function fill(
  texts: readonly Fillable[],
  variables: ReadonlyMap<string, { readonly value: PromptText }>,
  request: PromptRequest,
): Promise<readonly string[]> {
  const registered = new Set([...suppliedVariables, ...variables.keys()]);
  const templates = texts.map((part) => (part.fill ? readTemplate(part.text, part, registered) : [part.text]));
  const used = namesIn(templates);
  const values = new Map<string, string | undefined>(
    await Promise.all([...used].map(async (name) => [name, await valueOf(name, variables, request)] as const)),
  );
  return texts.map((part, index) => render(templates[index] ?? [], part, values));
}

/** Where the values come from that every request brings with it. */
const valueHints: Readonly<Record<string, string>> = {
  model: "give the turn its model: session.turn({ model })",
  working_folder: "give the turn its folder: session.turn({ workingFolder })",
};

function namesIn(templates: readonly Template[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const template of templates) for (let at = 1; at < template.length; at += 2) names.add(template[at] ?? "");
  return names;
}

async function valueOf(
  name: string,
  variables: ReadonlyMap<string, { readonly value: PromptText }>,
  request: PromptRequest,
): Promise<string | undefined> {
  if (name === "model") return request.model;
  if (name === "working_folder") return request.workingFolder;
  const variable = variables.get(name);
  return variable === undefined ? undefined : textOf(`prompt variable "${name}"`, variable.value, request);
}

function render(template: Template, place: Place, values: ReadonlyMap<string, string | undefined>): string {
  let text = template[0] ?? "";
  for (let at = 1; at < template.length; at += 2) {
    const name = template[at] ?? "";
    const value = values.get(name);
    if (value === undefined) {
      const message = `prompt variable "{{${name}}}" has no value for this assembly (${called(place)})`;
      throw new Fault("prompt_invalid", message, {
        hint: valueHints[name] ?? `have the function of scope.variable("${name}", ...) give text for this request`,
        details: { [place.kind]: place.name, variable: name },
      });
    }
    text += value + (template[at + 1] ?? "");
  }
  return text;
}
