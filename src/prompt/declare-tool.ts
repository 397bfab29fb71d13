import { messageOf } from "../errors.ts";
import { firstSentence } from "../first-sentence.ts";
import { isObject } from "../is-object.ts";
import { isIdentifier } from "../json-path.ts";
import { commentLines, docComment } from "./comment-text.ts";
import { exampleLines, withoutExamples } from "./examples.ts";
import { methodText } from "./literal-text.ts";
import { typeText } from "./type-text.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { FieldText } from "./print-type.ts";
import type { NamedType, TypeText } from "./type-text.ts";

/** What a tool's declaration is made of; schemas are never changed once they were declared. */
export interface Declarable {
  readonly name: string;
  /** The accessor of a tool whose name is no identifier: what is declared then. */
  readonly alias?: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output?: JsonObject;
  /** Of results that were seen, of a tool without `output`; it promises nothing. */
  readonly observed?: JsonObject;
}

export interface DeclarationWarning {
  readonly tool: string;
  readonly message: string;
}

/** `brief` keeps the types and the first sentence of the description, and nothing of what is said of parameters. */
export type Detail = "full" | "brief";

/** One tool's part of the declarations; it depends on that tool alone. */
export interface ToolDeclaration {
  /** The method, with its comment, as a member of `tools`. */
  readonly text: string;
  /** The same in parts, around its parameters. */
  readonly head: string;
  readonly fields: readonly FieldText[];
  readonly tail: string;
  /** The named types that the method needs. */
  readonly types: readonly NamedType[];
  readonly warnings: readonly DeclarationWarning[];
}

const observedNote = "@returns Observed in earlier results, not promised: look before relying on it";

const anyArguments: JsonObject = { type: "object", additionalProperties: true };

/** Declares one tool; a schema that cannot be read costs this tool its types, with a warning, and no other. */
export function declareTool(tool: Declarable, detail: Detail = "full"): ToolDeclaration {
  const input = readInput(tool, detail);
  const result = tool.output ?? tool.observed;
  const output = result === undefined ? undefined : readType(result, "output", detail);
  const warnings = [
    ...input.warnings.map((message) => warningOf(tool, "inputSchema", message)),
    ...(output?.warnings ?? []).map((message) => warningOf(tool, "outputSchema", message)),
  ];
  const doc = docOf(tool, detail, input, output);
  const comment = doc.length === 0 ? "" : `${docComment(doc, "")}\n`;
  const head = `${comment}${methodText(accessorOf(tool))}(args${input.acceptsEmpty ? "?" : ""}: `;
  const tail = `): Promise<${output?.text ?? "Unknown"}>`;
  return {
    text: head + input.text + tail,
    head,
    fields: input.fields,
    tail,
    types: [...input.types, ...(output?.types ?? [])],
    warnings,
  };
}

/** A tool of which nothing is said but its name and description. */
export function untyped({ name, alias, description }: Declarable): Declarable {
  return { name, ...(alias === undefined ? {} : { alias }), description, input: anyArguments };
}

/** What a program calls a tool by. */
export function accessorOf({ name, alias }: Pick<Declarable, "name" | "alias">): string {
  return alias === undefined || isIdentifier(name) ? name : alias;
}

export function warningOf(tool: Declarable, what: string, message: string): DeclarationWarning {
  return { tool: tool.name, message: `tool ${JSON.stringify(tool.name)}, ${what}: ${message}` };
}

function docOf(tool: Declarable, detail: Detail, input: TypeText, output: TypeText | undefined): readonly string[] {
  const description = typeof tool.description === "string" ? tool.description : "";
  const seen = tool.output === undefined && tool.observed !== undefined ? [observedNote] : [];
  if (detail === "brief") return [...commentLines(firstSentence(description).replaceAll(/\s+/g, " ")), ...seen];
  const doc = [...commentLines(description)];
  for (const line of input.doc) if (!doc.includes(line)) doc.push(line);
  doc.push(...exampleLines(tool.input, accessorOf(tool)));
  if (output !== undefined && output.doc.length > 0) doc.push(`@returns ${output.doc.join(" ")}`);
  doc.push(...seen);
  return doc;
}

function readInput({ input: schema }: Declarable, detail: Detail): TypeText {
  const input = readType(schema, "input", detail);
  if (!input.admitsObject) {
    const warning = "admits no object, so no call can match it; shown as any object";
    return { ...readType(anyArguments, "input", detail), warnings: [...input.warnings, warning] };
  }
  if (input.text === "unknown") return { ...input, text: "Record<string, unknown>" };
  // Without parameters and open by omission only: nothing is offered that could be named.
  if (input.text === "Record<string, unknown>" && schema["additionalProperties"] === undefined)
    return { ...input, text: "{}" };
  return input;
}

function readType(schema: JsonValue, io: "input" | "output", detail: Detail): TypeText {
  const options = { io, silent: detail === "brief" };
  try {
    return typeText(io === "input" && isObject(schema) ? withoutExamples(schema) : schema, options);
  } catch (error) {
    const warning = `cannot be read (${messageOf(error)}), shown as unknown`;
    return { ...typeText({}, options), warnings: [warning] };
  }
}
