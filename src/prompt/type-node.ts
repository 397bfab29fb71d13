import type { JsonValue } from "../json.ts";

/** What is said beside a type: sentences, and short notes on what the type cannot say. */
export interface Doc {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

export interface Slot {
  readonly type: TypeNode;
  readonly doc: Doc;
}

export interface Field extends Slot {
  readonly name: string;
  readonly optional: boolean;
}

/** An index signature; `key` is the text of the key's type. */
export interface Index extends Slot {
  readonly key: string;
}

export type Word = "unknown" | "never" | "string" | "number" | "boolean" | "null" | "undefined";
export type Kind = "string" | "number" | "boolean" | "null" | "object" | "array";

export interface ObjectNode {
  readonly kind: "object";
  readonly fields: readonly Field[];
  readonly index: readonly Index[];
  readonly closed: boolean;
}

/** A type as read from a schema, before it is text; a `ref` names a definition by its place in their list. */
export type TypeNode =
  | { readonly kind: "word"; readonly word: Word }
  | { readonly kind: "literal"; readonly of: Kind; readonly text: string }
  | { readonly kind: "array"; readonly item: Slot }
  | {
      readonly kind: "tuple";
      readonly items: readonly Slot[];
      readonly required: number;
      readonly rest: Slot | undefined;
    }
  | ObjectNode
  | { readonly kind: "union"; readonly members: readonly Slot[] }
  | { readonly kind: "all"; readonly parts: readonly TypeNode[] }
  | { readonly kind: "ref"; readonly id: number };

export const noDoc: Doc = Object.freeze({ lines: [], notes: [] });

/** A type that is one word. */
export function wordNode(word: Word): TypeNode {
  return { kind: "word", word };
}

export function isWord(node: TypeNode, word: Word): boolean {
  return node.kind === "word" && node.word === word;
}

export function slot(type: TypeNode, doc: Doc = noDoc): Slot {
  return { type, doc };
}

export const allKinds: ReadonlySet<Kind> = new Set<Kind>(["string", "number", "boolean", "object", "array", "null"]);

/** The type of all values of a kind. */
export function kindNode(kind: Kind): TypeNode {
  if (kind === "array") return { kind: "array", item: slot(wordNode("unknown")) };
  if (kind !== "object") return wordNode(kind);
  return { kind: "object", fields: [], index: [{ key: "string", ...slot(wordNode("unknown")) }], closed: false };
}

/** The kind of a JSON value. */
export function kindOf(value: JsonValue): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}

/** The types directly inside a type. */
export function childrenOf(node: TypeNode): readonly TypeNode[] {
  switch (node.kind) {
    case "array":
      return [node.item.type];
    case "tuple":
      return [...node.items, ...(node.rest === undefined ? [] : [node.rest])].map((item) => item.type);
    case "object":
      return [...node.fields, ...node.index].map((item) => item.type);
    case "union":
      return node.members.map((member) => member.type);
    case "all":
      return node.parts;
    default:
      return [];
  }
}

/** A text that equal types, and only they, share; docs do not count. */
export function keyOf(node: TypeNode): string {
  switch (node.kind) {
    case "word":
      return node.word;
    case "literal":
      return node.text;
    case "ref":
      return `#${node.id}`;
    case "array":
      return `[]${keyOf(node.item.type)}`;
    case "tuple":
      return `[${node.required}:${node.items.map((item) => keyOf(item.type)).join()}${node.rest ? `...${keyOf(node.rest.type)}` : ""}]`;
    case "object": {
      const fields = node.fields.map((f) => `${JSON.stringify(f.name)}${f.optional ? "?" : ""}:${keyOf(f.type)}`);
      const index = node.index.map((i) => `${i.key}:${keyOf(i.type)}`);
      return `{${fields.join(";")}|${index.join(";")}|${String(node.closed)}}`;
    }
    case "union":
      return `(${node.members.map((member) => keyOf(member.type)).join("|")})`;
    default:
      return `(${node.parts.map((part) => keyOf(part)).join("&")})`;
  }
}
