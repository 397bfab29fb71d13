import { docComment, inlineComment } from "./comment-text.ts";
import { docLines } from "./notes.ts";
import { keyText } from "./literal-text.ts";
import { childrenOf, isWord } from "./type-node.ts";
import type { Doc, Field, Index, ObjectNode, Slot, TypeNode } from "./type-node.ts";

/** How the words of the text are chosen. */
export interface Wording {
  readonly nameOf: (id: number) => string;
  /** What stands for a type that is not known. */
  readonly unknown: string;
}

const maxLineChars = 100;

/** A type as text; lines after the first are indented by `indent`. */
export function printType(node: TypeNode, wording: Wording, indent = ""): string {
  return flat(node, wording) ?? block(node, wording, indent);
}

/** The text in one line, if it holds no property with a comment and no long object. */
function flat(node: TypeNode, wording: Wording): string | undefined {
  if (node.kind !== "object") return combine(node, wording, (inner) => flat(inner, wording));
  const record = recordText(node, wording, (inner) => flat(inner, wording));
  if (record !== undefined) return record.text;
  const parts: string[] = [];
  let length = 0;
  for (const item of [...node.fields, ...node.index]) {
    const text = docLines(item.doc).length > 0 ? undefined : flat(item.type, wording);
    if (text === undefined) return undefined;
    const part = `${labelOf(item)}: ${text}`;
    length += part.length + 2;
    if (length > maxLineChars) return undefined;
    parts.push(part);
  }
  return `{ ${parts.join("; ")} }`;
}

function block(node: TypeNode, wording: Wording, indent: string): string {
  if (node.kind !== "object")
    return combine(node, wording, (inner) => printType(inner, wording, indent)) ?? wording.unknown;
  const lines = [...node.fields, ...node.index].map((item) => fieldLine(item, wording, `${indent} `));
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** One property of an object, by itself. */
export interface FieldText {
  readonly name: string;
  /** With its comment, as it stands in an object of several lines. */
  readonly line: string;
}

/** The properties of an object, each as it stands in one of several lines. */
export function printFields(node: ObjectNode, wording: Wording): readonly FieldText[] {
  return node.fields.map((field) => ({ name: field.name, line: fieldLine(field, wording, " ") }));
}

// A line's end ends a property, so nothing else does.
function fieldLine(item: Field | Index, wording: Wording, inside: string): string {
  const text = `${labelOf(item)}: ${printType(item.type, wording, inside)}`;
  const doc = docLines(item.doc);
  if (doc.length === 0) return `${inside}${text}`;
  if (doc.length === 1 && !text.includes("\n")) return `${inside}${text} // ${doc.join("")}`;
  return `${inside}${docComment(doc, inside)}\n${inside}${text}`;
}

function labelOf(item: Field | Index): string {
  return "key" in item ? `[k: ${item.key}]` : `${keyText(item.name)}${item.optional ? "?" : ""}`;
}

type Print = (node: TypeNode) => string | undefined;

/** An object without listed properties. */
function recordText(node: ObjectNode, wording: Wording, print: Print): { text: string | undefined } | undefined {
  const [index, ...more] = node.index;
  if (node.fields.length > 0 || more.length > 0) return undefined;
  if (index === undefined) return { text: `Record<string, ${node.closed ? "never" : wording.unknown}>` };
  // An alias may lead back to itself through an index signature, but not through `Record`.
  if (index.key !== "string" || hasRef(index.type) || hasDoc(index.doc)) return undefined;
  const text = print(index.type);
  return { text: text === undefined ? undefined : `Record<string, ${text}>` };
}

function hasDoc(doc: Doc): boolean {
  return doc.lines.length + doc.notes.length > 0;
}

function hasRef(node: TypeNode): boolean {
  return node.kind === "ref" || childrenOf(node).some((child) => hasRef(child));
}

/** A type that is no object from the texts of its parts; undefined where a part gives none. */
function combine(node: Exclude<TypeNode, ObjectNode>, wording: Wording, print: Print): string | undefined {
  switch (node.kind) {
    case "word":
      return isWord(node, "unknown") ? wording.unknown : node.word;
    case "literal":
      return node.text;
    case "ref":
      return wording.nameOf(node.id);
    case "array":
      return suffixed(node.item.type, "[]", print);
    case "tuple": {
      const items = node.items.map((item, i) => {
        const optional = i >= node.required;
        return documented(item, optional ? suffixed(item.type, "?", print) : print(item.type));
      });
      if (node.rest !== undefined) items.push(documented(node.rest, prefixed(suffixed(node.rest.type, "[]", print))));
      return join(items, ", ", (text) => `[${text}]`);
    }
    case "union":
      return join(
        node.members.map((member) => documented(member, print(member.type))),
        " | ",
      );
    default:
      return join(
        node.parts.map((part) => (part.kind === "union" ? wrapped(print(part)) : print(part))),
        " & ",
      );
  }
}

function join(
  texts: readonly (string | undefined)[],
  separator: string,
  around = (text: string) => text,
): string | undefined {
  return texts.includes(undefined) ? undefined : around(texts.join(separator));
}

function wrapped(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `(${text})`;
}

function prefixed(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `...${text}`;
}

function suffixed(node: TypeNode, suffix: string, print: Print): string | undefined {
  const text = print(node);
  if (text === undefined) return undefined;
  return node.kind === "union" || node.kind === "all" ? `(${text})${suffix}` : `${text}${suffix}`;
}

function documented({ doc }: Slot, text: string | undefined): string | undefined {
  const lines = docLines(doc);
  return text === undefined || lines.length === 0 ? text : `${inlineComment(lines)} ${text}`;
}
