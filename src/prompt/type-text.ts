import { docComment } from "./comment-text.ts";
import { docLines } from "./notes.ts";
import { printFields, printType } from "./print-type.ts";
import { readTypes } from "./read-schema.ts";
import { settle } from "./settle.ts";
import { childrenOf, isWord } from "./type-node.ts";
import { hashText, pascalCase } from "./type-name.ts";
import type { FieldText, Wording } from "./print-type.ts";
import type { Named, Settled } from "./settle.ts";
import type { TypeOptions } from "./read-context.ts";
import type { JsonValue } from "../json.ts";
import type { TypeNode } from "./type-node.ts";

/** `type Node_1a2b3 = …;` with its comment. */
export interface NamedType {
  readonly name: string;
  readonly text: string;
}

export interface TypeText {
  readonly text: string;
  /** The properties, where the type is an object that consists of listed ones. */
  readonly fields: readonly FieldText[];
  /** The types that the text names, each once, in order of first use. */
  readonly types: readonly NamedType[];
  /** What the root says of itself, as comment lines. */
  readonly doc: readonly string[];
  /** Whether `{}` is of this type. */
  readonly acceptsEmpty: boolean;
  /** Whether any object at all is of this type. */
  readonly admitsObject: boolean;
  readonly warnings: readonly string[];
}

/** The TypeScript type of a JSON Schema (drafts 7 and 2020-12); it admits every value that the schema admits. */
export function typeText(schema: JsonValue, options: TypeOptions): TypeText {
  const { definitions, warnings } = readTypes(schema, options);
  const settled = settle(definitions);
  const unknown = options.io === "output" && !options.exact ? "Unknown" : "unknown";
  const names = nameTypes(settled, { root: options.io === "input" ? "Args" : "Result", unknown });
  const wording: Wording = { nameOf: (id) => names.get(id) ?? unknown, unknown };
  const { root } = settled;
  return {
    text: printType(root.type, wording),
    fields: root.type.kind === "object" && root.type.index.length === 0 ? printFields(root.type, wording) : [],
    types: reachable(root.type, settled).map((id) => ({
      name: wording.nameOf(id),
      text: declaration(id, settled, wording),
    })),
    doc: docLines(root.type.kind === "ref" ? (settled.named.get(root.type.id)?.doc ?? root.doc) : root.doc),
    acceptsEmpty: acceptsEmpty(root.type, settled),
    admitsObject: admitsObject(root.type),
    warnings,
  };
}

function declaration(id: number, { named }: Settled, wording: Wording): string {
  const definition = named.get(id);
  if (definition === undefined) return "";
  const doc = docLines(definition.doc);
  const comment = doc.length === 0 ? "" : `${docComment(doc, "")}\n`;
  return `${comment}type ${wording.nameOf(id)} = ${printType(definition.type, wording)};`;
}

/** The named types that a type leads to, breadth first. */
function reachable(from: TypeNode, { named }: Settled): readonly number[] {
  const found = new Set<number>();
  const visit = (node: TypeNode): void => {
    if (node.kind === "ref") found.add(node.id);
    else for (const child of childrenOf(node)) visit(child);
  };
  visit(from);
  for (const id of found) {
    const type = named.get(id)?.type;
    if (type !== undefined) visit(type);
  }
  return [...found];
}

/**
 * A name is a word from the schema and a hash of everything that the type leads to. So it depends on nothing but the type:
 * another tool coming or going renames nothing, two tools share a type only where it is the same, and no global is hidden.
 */
function nameTypes(
  settled: Settled,
  { root, unknown }: { root: string; unknown: string },
): ReadonlyMap<number, string> {
  const drafts = new Map<number, string>();
  const taken = new Set<string>();
  const bases = new Map<number, string>();
  for (const [id, definition] of settled.named) {
    const base = id === 0 ? root : baseName(definition);
    let draft = base;
    for (let n = 2; taken.has(draft); n++) draft = `${base}${n}`;
    taken.add(draft);
    bases.set(id, base);
    drafts.set(id, draft);
  }
  const wording: Wording = { nameOf: (id) => drafts.get(id) ?? unknown, unknown };
  const texts = new Map([...drafts.keys()].map((id) => [id, declaration(id, settled, wording)]));
  const names = new Map<number, string>();
  for (const [id, base] of bases) {
    const closure = reachable({ kind: "ref", id }, settled);
    names.set(id, `${base}_${hashText(closure.map((member) => texts.get(member)).join("\n"), 5, 36)}`);
  }
  return names;
}

const skipped =
  /^(?:\d+|properties|patternProperties|items|prefixItems|additionalProperties|allOf|anyOf|oneOf|\$defs|definitions)$/;

/** The last word of a pointer that an author chose. */
function baseName({ hint }: Named): string {
  const chosen = hint.split("/").filter((part) => !skipped.test(part));
  return pascalCase(chosen.at(-1) ?? "");
}

function acceptsEmpty(node: TypeNode, settled: Settled, seen: ReadonlySet<number> = new Set()): boolean {
  switch (node.kind) {
    case "word":
      return node.word === "unknown";
    case "object":
      return node.fields.every((field) => field.optional);
    case "union":
      return node.members.some((member) => acceptsEmpty(member.type, settled, seen));
    case "all":
      return node.parts.every((part) => acceptsEmpty(part, settled, seen));
    case "ref": {
      const target = settled.named.get(node.id);
      return (
        target !== undefined && !seen.has(node.id) && acceptsEmpty(target.type, settled, new Set([...seen, node.id]))
      );
    }
    default:
      return false;
  }
}

function admitsObject(node: TypeNode): boolean {
  if (node.kind === "union") return node.members.some((member) => admitsObject(member.type));
  if (node.kind === "all") return node.parts.every((part) => admitsObject(part));
  if (node.kind === "literal") return node.of === "object";
  return node.kind === "object" || node.kind === "ref" || isWord(node, "unknown");
}
