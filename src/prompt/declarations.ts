import { messageOf } from "../errors.ts";
import { commentLines, docComment } from "./comment-text.ts";
import { isObject } from "../is-object.ts";
import { isIdentifier } from "../json-path.ts";
import { methodText } from "./literal-text.ts";
import { typeText } from "./type-text.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { NamedType, TypeText } from "./type-text.ts";

/** What a tool's declaration is made of; schemas are never changed once they were declared. */
export interface Declarable {
  readonly name: string;
  /** The accessor of a tool whose name is no identifier: what is declared then. */
  readonly alias?: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output?: JsonObject;
}

export interface DeclarationWarning {
  readonly tool: string;
  readonly message: string;
}

/** One tool's part of the declarations; it depends on that tool alone. */
export interface ToolDeclaration {
  /** The method, with its comment, indented as a member of `tools`. */
  readonly text: string;
  /** The named types that the method needs. */
  readonly types: readonly NamedType[];
  readonly warnings: readonly DeclarationWarning[];
}

export interface Declarations {
  readonly text: string;
  readonly warnings: readonly DeclarationWarning[];
}

const indent = "  ";
const anyArguments: JsonObject = { type: "object", additionalProperties: true };

/** What every program sees beside its tools. */
const preamble = [
  "/** What a call rejects with; `code` says why, `hint` what to change. */",
  "declare class ToolError extends Error { code: string; hint?: string; details?: Unknown; status: string; effect: string }",
  "/** A value of a shape that nobody declared: look at it before relying on it. */",
  "type Unknown = any;",
];

/** Declares one tool; a schema that cannot be read costs this tool its types, with a warning, and no other. */
export function declareTool(tool: Declarable): ToolDeclaration {
  const input = readInput(tool);
  const output = tool.output === undefined ? undefined : readType(tool.output, "output");
  const warnings = [
    ...input.warnings.map((message) => warningOf(tool, "inputSchema", message)),
    ...(output?.warnings ?? []).map((message) => warningOf(tool, "outputSchema", message)),
  ];
  const doc = [...commentLines(typeof tool.description === "string" ? tool.description : "")];
  for (const line of input.doc) if (!doc.includes(line)) doc.push(line);
  if (output !== undefined && output.doc.length > 0) doc.push(`@returns ${output.doc.join(" ")}`);
  const comment = doc.length === 0 ? "" : `${indent}${docComment(doc, indent)}\n`;
  const args = `args${input.acceptsEmpty ? "?" : ""}: ${input.text}`;
  return {
    text: `${comment}${indent}${methodText(accessorOf(tool))}(${args}): Promise<${output?.text ?? "Unknown"}>;`,
    types: [...input.types, ...(output?.types ?? [])],
    warnings,
  };
}

const made = new WeakMap<JsonObject, { readonly tool: Declarable; readonly declared: ToolDeclaration }>();

/** `declareTool`, whose last result for an input schema is kept as long as the rest of the tool is the same too. */
function declareOnce(tool: Declarable): ToolDeclaration {
  if (!isObject(tool.input)) return declareTool(tool);
  const known = made.get(tool.input);
  if (known !== undefined && isSame(known.tool, tool)) return known.declared;
  const declared = declareTool(tool);
  made.set(tool.input, { tool, declared });
  return declared;
}

const isSame = (a: Declarable, b: Declarable): boolean =>
  a.name === b.name && a.alias === b.alias && a.description === b.description && a.output === b.output;

/** Declares tools in the order given, each shared type once; a tool that was declared before costs next to nothing. */
export function declare(tools: readonly Declarable[]): Declarations {
  const types = new Map<string, string>();
  const methods: string[] = [];
  const warnings: DeclarationWarning[] = [];
  for (const tool of tools) {
    let declared = declareOnce(tool);
    // Two types of one name whose hashes agree by chance, or by someone's work: the later tool goes without its types.
    if (declared.types.some((type) => (types.get(type.name) ?? type.text) !== type.text)) {
      declared = declareTool(untyped(tool));
      warnings.push(warningOf(tool, "schema", "the name of a type is taken by another type"));
    }
    for (const type of declared.types) types.set(type.name, type.text);
    methods.push(declared.text);
    warnings.push(...declared.warnings);
  }
  const lines = [...preamble, ...types.values(), "declare const tools: {", ...methods, "};"];
  return { text: `${lines.join("\n")}\n`, warnings };
}

function accessorOf({ name, alias }: Declarable): string {
  return alias === undefined || isIdentifier(name) ? name : alias;
}

function warningOf(tool: Declarable, what: string, message: string): DeclarationWarning {
  return { tool: tool.name, message: `tool ${JSON.stringify(tool.name)}, ${what}: ${message}` };
}

function untyped({ name, alias, description }: Declarable): Declarable {
  return { name, ...(alias === undefined ? {} : { alias }), description, input: anyArguments };
}

function readInput({ input: schema }: Declarable): TypeText {
  const input = readType(schema, "input");
  if (!input.admitsObject) {
    const warning = "admits no object, so no call can match it; shown as any object";
    return { ...readType(anyArguments, "input"), warnings: [...input.warnings, warning] };
  }
  if (input.text === "unknown") return { ...input, text: "Record<string, unknown>" };
  // Without parameters and open by omission only: nothing is offered that could be named.
  if (input.text === "Record<string, unknown>" && schema["additionalProperties"] === undefined)
    return { ...input, text: "{}" };
  return input;
}

function readType(schema: JsonValue, io: "input" | "output"): TypeText {
  try {
    return typeText(schema, { io }, indent);
  } catch (error) {
    const warning = `cannot be read (${messageOf(error)}), shown as unknown`;
    return { ...typeText({}, { io }, indent), warnings: [warning] };
  }
}
