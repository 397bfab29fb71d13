import { isObject } from "../is-object.ts";
import { declareTool, untyped, warningOf } from "./declare-tool.ts";
import { shareFields, type SharedFields } from "./share-fields.ts";
import type { JsonObject } from "../json.ts";
import type { Declarable, DeclarationWarning, Detail, ToolDeclaration } from "./declare-tool.ts";

export type { Declarable, DeclarationWarning } from "./declare-tool.ts";

export interface Declarations {
  readonly text: string;
  readonly warnings: readonly DeclarationWarning[];
}

/** What every program sees beside its tools. */
const preamble = [
  "/** What a call rejects with; `code` says why, `hint` what to change. */",
  "declare class ToolError extends Error { code: string; hint?: string; details?: Unknown; status: string; effect: string }",
  "/** A value of a shape that nobody declared: look at it before relying on it. */",
  "type Unknown = any;",
];

/** Declares tools in the order given, each shared type once; a tool that was declared before costs next to nothing. */
export function declare(tools: readonly Declarable[]): Declarations {
  return declareEntries(tools.map((tool) => ({ tool, detail: "full" })));
}

/** A tool and how much of it is declared. */
export interface Entry {
  readonly tool: Declarable;
  readonly detail: Detail;
}

/** Declares tools, with comment lines before and after them. */
export function declareEntries(
  entries: readonly Entry[],
  before: readonly string[] = [],
  after: readonly string[] = [],
): Declarations {
  const types = new Map<string, string>();
  const methods: ToolDeclaration[] = [];
  const warnings: DeclarationWarning[] = [];
  for (const { tool, detail } of entries) {
    let declared = declareOnce(tool, detail);
    // Two types of one name whose hashes agree by chance, or by someone's work: the later tool goes without its types.
    if (declared.types.some((type) => (types.get(type.name) ?? type.text) !== type.text)) {
      declared = declareTool(untyped(tool), detail);
      warnings.push(warningOf(tool, "schema", "the name of a type is taken by another type"));
    }
    for (const type of declared.types) types.set(type.name, type.text);
    methods.push(declared);
    warnings.push(...declared.warnings);
  }
  const shared = shareFields(methods.map((method) => method.fields));
  const texts = methods.map((method, at) => sharedText(method, shared.get(at)));
  const sharedTypes = [...new Set([...shared.values()].flat())].map((type) => type.text);
  const lines = [
    ...preamble,
    ...types.values(),
    ...sharedTypes,
    ...before,
    "declare const tools: {",
    ...texts,
    ...after,
    "};",
  ];
  return { text: `${lines.join("\n")}\n`, warnings };
}

type Made = WeakMap<JsonObject, { readonly tool: Declarable; readonly declared: ToolDeclaration }>;

const made: Readonly<Record<Detail, Made>> = { full: new WeakMap(), brief: new WeakMap() };

/** `declareTool`, whose last result for an input schema is kept as long as the rest of the tool is the same too. */
export function declareOnce(tool: Declarable, detail: Detail): ToolDeclaration {
  if (!isObject(tool.input)) return declareTool(tool, detail);
  const known = made[detail].get(tool.input);
  if (known !== undefined && isSame(known.tool, tool)) return known.declared;
  const declared = declareTool(tool, detail);
  made[detail].set(tool.input, { tool, declared });
  return declared;
}

const isSame = (a: Declarable, b: Declarable): boolean =>
  a.name === b.name &&
  a.alias === b.alias &&
  a.description === b.description &&
  a.output === b.output &&
  a.observed === b.observed;

/** The method with its shared parameters by name, before its own. */
function sharedText(
  { text, head, fields, tail }: ToolDeclaration,
  shared: readonly SharedFields[] | undefined,
): string {
  if (shared === undefined) return text;
  const named = new Set(shared.flatMap((type) => type.lines));
  const own = fields.filter((field) => !named.has(field.line)).map((field) => field.line);
  const parts = shared.map((type) => type.name);
  if (own.length > 0) parts.push(`{\n${own.join("\n")}\n}`);
  return head + parts.join(" & ") + tail;
}
