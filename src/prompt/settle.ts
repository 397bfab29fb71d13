import { intersectionOf, unionOf } from "./combine.ts";
import { findCycles } from "./cycles.ts";
import { joinDocs, joinEach } from "./notes.ts";
import { childrenOf, isWord, keyOf, slot, wordNode } from "./type-node.ts";
import type { Definition } from "./read-context.ts";
import type { Doc, Slot, TypeNode } from "./type-node.ts";

export interface Named extends Slot {
  readonly hint: string;
}

/** Simplified types: the root, and the definitions that keep a name, by number. */
export interface Settled {
  readonly root: Slot;
  readonly named: ReadonlyMap<number, Named>;
}

const maxInlineChars = 48;
const maxInlineHeight = 12;

/**
 * Simplifies what was read and decides what is named: a definition that leads back to itself, or is used twice and long,
 * or would nest too deep. All others are written where they are used, so the text grows with the schema and no faster.
 */
export function settle(definitions: readonly Definition[]): Settled {
  const bare = definitions.map(({ type }) => [...refsOf(type, false)]);
  const all = definitions.map(({ type }) => [...refsOf(type, true)]);
  const cycles = findCycles(all);
  const bareCycles = findCycles(bare);
  const uses = new Map<number, number>([[0, 1]]);
  for (const id of all.flat()) uses.set(id, (uses.get(id) ?? 0) + 1);
  const inlined = new Map<number, Slot>();
  const named = new Map<number, Named>();

  for (const id of cycles.order) {
    const definition = definitions[id];
    if (definition === undefined) continue;
    const settled = settleSlot(definition, {
      // An alias that is its own member says nothing, and TypeScript refuses it.
      isEmpty: (ref) => bareCycles.isCyclic(id, ref),
      inlined,
    });
    const recursive = (all[id] ?? []).some((ref) => cycles.isCyclic(id, ref));
    const long = sizeOf(settled) > maxInlineChars && (uses.get(id) ?? 0) > 1;
    const deep = id > 0 && heightOf(settled.type) > maxInlineHeight;
    if (recursive || long || deep) named.set(id, { ...settled, hint: definition.hint });
    else inlined.set(id, settled);
  }
  return { root: inlined.get(0) ?? slot({ kind: "ref", id: 0 }), named };
}

/** References in a type, each as often as it stands there; without the guarded ones only those that are the type itself. */
function refsOf(node: TypeNode, guarded: boolean): readonly number[] {
  if (node.kind === "ref") return [node.id];
  if (!guarded && node.kind !== "union" && node.kind !== "all") return [];
  return childrenOf(node).flatMap((child) => refsOf(child, guarded));
}

interface Settling {
  readonly inlined: ReadonlyMap<number, Slot>;
  readonly isEmpty: ((ref: number) => boolean) | undefined;
}

function settleSlot({ type: given, doc: own }: Slot, settling: Settling): Slot {
  const target = given.kind === "ref" ? settling.inlined.get(given.id) : undefined;
  const type = settleNode(given, settling);
  const doc = target === undefined ? own : referredDoc(own, target.doc);
  return lift(type, doc);
}

/** A description beside a reference stands for that of what it refers to; what both note counts. */
function referredDoc(own: Doc, target: Doc): Doc {
  return own.lines.length === 0 ? joinDocs(target, own) : joinDocs(own, { lines: [], notes: target.notes });
}

// What is said of the items of a list, or of one member of a union, is read with the property.
function lift(type: TypeNode, doc: Doc): Slot {
  if (type.kind === "array") {
    return slot({ kind: "array", item: slot(type.item.type) }, joinEach(doc, type.item.doc));
  }
  if (type.kind !== "union") return { type, doc };
  const values = type.members.filter((member) => !isWord(member.type, "null") && !isWord(member.type, "undefined"));
  const [only, ...others] = values.filter((member) => member.doc.lines.length + member.doc.notes.length > 0);
  const alone = values.length === 1 || (doc.lines.length === 0 && (only?.doc.lines.length ?? 0) > 0);
  if (only === undefined || others.length > 0 || !alone) return { type, doc };
  const members = type.members.map((member) => slot(member.type));
  return slot(members.length === 1 ? only.type : { kind: "union", members }, joinDocs(doc, only.doc));
}

function settleNode(node: TypeNode, settling: Settling): TypeNode {
  const inner: Settling = { inlined: settling.inlined, isEmpty: undefined };
  switch (node.kind) {
    case "ref":
      if (settling.isEmpty?.(node.id)) return wordNode("unknown");
      return settling.inlined.get(node.id)?.type ?? node;
    case "array":
      return { kind: "array", item: settleSlot(node.item, inner) };
    case "tuple": {
      const rest = node.rest === undefined ? undefined : settleSlot(node.rest, inner);
      return { ...node, items: node.items.map((item) => settleSlot(item, inner)), rest };
    }
    case "object":
      return {
        ...node,
        fields: node.fields.map((field) => ({ ...field, ...settleSlot(field, inner) })),
        index: node.index.map((index) => ({ ...index, ...settleSlot(index, inner) })),
      };
    case "union":
      return unionOf(node.members.map((member) => settleSlot(member, settling)));
    case "all":
      return intersectionOf(node.parts.map((part) => settleNode(part, settling)));
    default:
      return node;
  }
}

function sizeOf({ type, doc }: Slot): number {
  return keyOf(type).length + docSize(type) + doc.lines.join().length;
}

function docSize(node: TypeNode): number {
  let size = 0;
  if (node.kind === "object")
    for (const { doc } of node.fields) size += doc.lines.join().length + doc.notes.join().length;
  for (const child of childrenOf(node)) size += docSize(child);
  return size;
}

function heightOf(node: TypeNode): number {
  return childrenOf(node).reduce((height, child) => Math.max(height, 1 + heightOf(child)), 0);
}
