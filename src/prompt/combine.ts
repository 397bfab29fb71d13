import { isWord, keyOf, noDoc, slot, wordNode } from "./type-node.ts";
import { joinChoices } from "./notes.ts";
import type { Doc, Field, Kind, ObjectNode, Slot, TypeNode } from "./type-node.ts";

/** The union of simplified types: flat, without doubles, `null` and `undefined` last. */
export function unionOf(given: readonly Slot[]): TypeNode {
  const members = new Map<string, Slot>();
  for (const { type, doc } of given) {
    for (const member of type.kind === "union" ? type.members : [{ type, doc }]) {
      if (isWord(member.type, "unknown")) return member.type;
      const key = keyOf(member.type);
      if (isWord(member.type, "never")) continue;
      const same = members.get(key);
      members.set(key, same === undefined ? member : { type: same.type, doc: joinChoices(same.doc, member.doc) });
    }
  }
  if (members.has("true") && members.has("false") && !hasDoc(members.get("true")) && !hasDoc(members.get("false"))) {
    members.set("true", slot(wordNode("boolean")));
    members.delete("false");
  }
  const kept = [...members.values()].filter(({ type }) => type.kind !== "literal" || !members.has(type.of));
  kept.sort((a, b) => rankOf(a) - rankOf(b));
  const [only] = kept;
  if (only === undefined) return wordNode("never");
  return kept.length === 1 && !hasDoc(only) ? only.type : { kind: "union", members: kept };
}

function rankOf({ type }: Slot): number {
  if (isWord(type, "undefined")) return 2;
  return isWord(type, "null") ? 1 : 0;
}

function hasDoc(member: Slot | undefined): boolean {
  return member !== undefined && member.doc.lines.length + member.doc.notes.length > 0;
}

/** The intersection of simplified types: merged where that loses nothing and repeats nothing, kept side by side elsewhere. */
export function intersectionOf(given: readonly TypeNode[]): TypeNode {
  const parts = given.flatMap((node) => (node.kind === "all" ? node.parts : [node]));
  const plain = parts.filter(isPlain);
  const merged = plain.length < 2 ? parts : [...parts.filter((part) => !isPlain(part)), mergeObjects(plain)];
  let kept: TypeNode[] = [];
  // Leaving parts out admits more, never less.
  for (let part of merged.slice(-maxParts)) {
    const next: TypeNode[] = [];
    for (const other of kept) {
      const met = meet(other, part);
      if (met === undefined) next.push(other);
      else part = met;
    }
    kept = [...next, part];
  }
  const bounded = boundProduct(kept);
  const [only] = bounded;
  if (only === undefined) return wordNode("unknown");
  return bounded.length === 1 ? only : { kind: "all", parts: bounded };
}

const maxParts = 100;

// The compiler multiplies intersected unions out and gives up at 100,000.
const maxProduct = 1_000;

function boundProduct(parts: readonly TypeNode[]): readonly TypeNode[] {
  if (parts.filter((part) => part.kind === "union").length < 2) return parts;
  const kept = [...parts].sort((a, b) => membersOf(a).length - membersOf(b).length);
  let product = 1;
  const within = new Set(kept.filter((part) => (product *= membersOf(part).length) <= maxProduct));
  return parts.filter((part) => within.has(part));
}

function basicKind(node: TypeNode): Kind | undefined {
  switch (node.kind) {
    case "literal":
      return node.of;
    case "object":
      return "object";
    case "array":
    case "tuple":
      return "array";
    case "word":
      return node.word === "unknown" || node.word === "never" || node.word === "undefined" ? undefined : node.word;
    default:
      return undefined;
  }
}

function meet(a: TypeNode, b: TypeNode): TypeNode | undefined {
  if (isWord(a, "unknown") || isWord(b, "never")) return b;
  if (isWord(b, "unknown") || isWord(a, "never")) return a;
  if (a.kind === "union" || b.kind === "union") return meetUnions(membersOf(a), membersOf(b));
  const kind = basicKind(a);
  const other = basicKind(b);
  if (kind === undefined || other === undefined) return keyOf(a) === keyOf(b) ? a : undefined;
  if (kind !== other) return wordNode("never");
  if (a.kind === "literal" && b.kind === "literal") return a.text === b.text ? a : wordNode("never");
  if (a.kind === "literal" || b.kind === "word") return a;
  if (b.kind === "literal" || a.kind === "word") return b;
  if (a.kind === "object" && b.kind === "object") return meetObjects(a, b);
  if (a.kind === "array" && b.kind === "array") {
    const type = intersectionOf([a.item.type, b.item.type]);
    return { kind: "array", item: slot(type, eitherDoc(a.item.doc, b.item.doc)) };
  }
  if (b.kind === "array" && isWord(b.item.type, "unknown")) return a;
  if (a.kind === "array" && isWord(a.item.type, "unknown")) return b;
  return keyOf(a) === keyOf(b) ? a : undefined;
}

function membersOf(node: TypeNode): readonly Slot[] {
  return node.kind === "union" ? node.members : [slot(node)];
}

const maxPairs = 1_000;

function meetUnions(a: readonly Slot[], b: readonly Slot[]): TypeNode | undefined {
  const literals = new Map(b.map((member) => [keyOf(member.type), member]));
  if (a.length * b.length > maxPairs) {
    const allLiteral = [...a, ...b].every((member) => member.type.kind === "literal");
    return allLiteral ? unionOf(a.filter((member) => literals.has(keyOf(member.type)))) : undefined;
  }
  const met: Slot[] = [];
  for (const left of a) {
    for (const right of b) {
      const type = meet(left.type, right.type);
      // Only what adds no text: a merged object would be repeated in every member.
      if (type === undefined || (type !== left.type && type !== right.type && !isWord(type, "never"))) return undefined;
      met.push(slot(type, eitherDoc(left.doc, right.doc)));
    }
  }
  return unionOf(met);
}

function eitherDoc(a: Doc, b: Doc): Doc {
  return a.lines.length + a.notes.length > 0 ? a : b;
}

function isPlain(node: TypeNode): node is ObjectNode {
  return node.kind === "object" && node.index.length === 0;
}

function mergeObjects(objects: readonly ObjectNode[]): ObjectNode {
  const groups = Map.groupBy(
    objects.flatMap((object) => object.fields),
    (field) => field.name,
  );
  const fields = [...groups].map(([name, same]): Field => {
    const [first, ...others] = same;
    const type = intersectionOf(same.map((field) => field.type));
    const doc = others.reduce((known, field) => eitherDoc(known, field.doc), first?.doc ?? noDoc);
    return { name, type, doc, optional: same.every((field) => field.optional) };
  });
  return { kind: "object", fields, index: [], closed: objects.some((object) => object.closed) };
}

function meetObjects(a: ObjectNode, b: ObjectNode): TypeNode | undefined {
  if (isAnyObject(b)) return a;
  if (isAnyObject(a)) return b;
  if (isPlain(a) && isPlain(b)) return mergeObjects([a, b]);
  return keyOf(a) === keyOf(b) ? a : undefined;
}

function isAnyObject(node: ObjectNode): boolean {
  return node.fields.length === 0 && !node.closed && node.index.every((index) => isWord(index.type, "unknown"));
}
