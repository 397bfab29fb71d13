import { keyOf, noDoc, slot, wordNode } from "./type-node.ts";
import { isObject } from "../is-object.ts";
import { isList } from "./schema-index.ts";
import { commentLines } from "./comment-text.ts";
import { pointerKey } from "../registry/json-pointer.ts";
import type { Place, Reading } from "./read-context.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Doc, Field, Index, Slot, TypeNode } from "./type-node.ts";

/** One schema to read as one kind, and how to read what is inside it. */
export interface Part {
  readonly reading: Reading;
  readonly schema: JsonObject;
  readonly place: Place;
  readonly read: (reading: Reading, schema: JsonValue, place: Place) => TypeNode;
}

/** The slot of a schema inside another. */
export function readInner({ reading, place, read }: Part, schema: JsonValue, step: string, name?: string): Slot {
  const path = `${place.path}/${step}`;
  const type = read(reading, schema, { path, base: place.base, depth: place.depth + 1, kinds: undefined });
  return slot(type, reading.docOf(schema, name));
}

export function readObject(part: Part): TypeNode {
  const { reading, schema, place } = part;
  const listed = schema["required"];
  const required = new Set((isList(listed) ? listed : []).filter((name) => typeof name === "string"));
  const properties = schema["properties"];
  if (properties !== undefined && !isObject(properties))
    reading.warn(place, "properties is no object", "read without it");
  const fields: Field[] = [];
  for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
    const { type, doc } = readInner(part, property, `properties/${pointerKey(name)}`, name);
    fields.push(required.has(name) ? { name, type, doc, optional: false } : { ...optionalField(name, type), doc });
  }
  const rest = schema["additionalProperties"];
  const other =
    isObject(rest) && Object.keys(rest).length > 0 ? readInner(part, rest, "additionalProperties") : undefined;
  const patterns = readPatterns(part);
  // A pattern may be what such a property has to match instead.
  const isRest = patterns.length === 0 && other !== undefined && keyOf(other.type).length <= maxWideChars;
  const unnamed = isRest ? other.type : wordNode("unknown");
  for (const name of required) {
    if (isObject(properties) && Object.hasOwn(properties, name)) continue;
    fields.push({ name, type: unnamed, doc: noDoc, optional: false });
  }
  const names = keysOf(schema);
  if (names !== undefined) {
    const known = new Set(fields.map((field) => field.name));
    const others = names.filter((name) => !known.has(name)).map((name) => optionalField(name, unnamed));
    return { kind: "object", fields: [...fields, ...others], index: [], closed: true };
  }
  // What a key may hold that no property lists: nothing, one type, anything, or left open.
  const open = rest === true || (rest !== undefined && rest !== false && other === undefined);
  const unlisted =
    other ?? (open || (rest === undefined && reading.options.exact) ? slot(wordNode("unknown")) : undefined);
  const index = indexOf(fields, patterns, unlisted);
  return { kind: "object", fields, index, closed: rest === false && patterns.length === 0 };
}

// Every object has some already, as functions: an absent property would not fit another type.
function optionalField(name: string, type: TypeNode): Field {
  const inherited = name !== "__proto__" && name in Object.prototype;
  return { name, type: inherited ? wordNode("unknown") : type, doc: noDoc, optional: true };
}

/** The only keys that an object may have, where they are listed. */
function keysOf(schema: JsonObject): readonly string[] | undefined {
  const names = schema["propertyNames"];
  if (names === false || schema["maxProperties"] === 0) return [];
  if (!isObject(names)) return undefined;
  const listed = Object.hasOwn(names, "const") ? [names["const"]] : names["enum"];
  return isList(listed) ? listed.filter((name) => typeof name === "string") : undefined;
}

interface Pattern extends Slot {
  readonly pattern: string;
  /** The literal start of the keys, where that is all the pattern asks. */
  readonly prefix: string | undefined;
}

function readPatterns(part: Part): readonly Pattern[] {
  const patterns = part.schema["patternProperties"];
  if (!isObject(patterns)) return [];
  return Object.entries(patterns).map(([pattern, schema]) => {
    const inner = readInner(part, schema, `patternProperties/${pointerKey(pattern)}`);
    const start = /^\^((?:[\w /:@-]|\\[.\-/])+)$/.exec(pattern)?.[1];
    return { ...inner, pattern, prefix: start?.replaceAll("\\", "") };
  });
}

// TypeScript wants every property, and every narrower signature, to fit the wider signature: the wider one is a union of all.
function indexOf(fields: readonly Field[], patterns: readonly Pattern[], unlisted: Slot | undefined): readonly Index[] {
  if (patterns.length === 0 && unlisted === undefined) return [];
  const prefixes = new Set(patterns.map((pattern) => pattern.prefix));
  const apart =
    !prefixes.has(undefined) &&
    prefixes.size === patterns.length &&
    !fields.some((field) => patterns.some(({ prefix }) => field.name.startsWith(prefix ?? "")));
  const narrow = apart
    ? patterns.map((pattern): Index => ({ ...pattern, key: `\`${pattern.prefix}\${string}\`` }))
    : [];
  const index = narrow.map(({ key, type, doc }): Index => ({ key, type, doc }));
  if (apart && unlisted === undefined) return index;
  const wide = [...(unlisted === undefined ? [] : [unlisted]), ...patterns];
  const [only] = wide;
  const doc = wide.length === 1 && only !== undefined ? only.doc : noDoc;
  const repeated = [...fields, ...narrow].map(({ type }) => slot(type));
  if (fields.some((field) => field.optional)) repeated.push(slot(wordNode("undefined")));
  const type = joined(
    wide.map(({ type: known }) => slot(known)),
    repeated,
  );
  return [...index, { key: "string", type, doc: patternDoc(doc, apart ? [] : patterns) }];
}

const maxWideChars = 200;

// What a signature repeats must stay short, or nesting would double it at each level.
function joined(own: readonly Slot[], repeated: readonly Slot[]): TypeNode {
  const length = repeated.reduce((sum, { type }) => sum + keyOf(type).length, 0);
  return length > maxWideChars ? wordNode("unknown") : { kind: "union", members: [...own, ...repeated] };
}

function patternDoc(doc: Doc, patterns: readonly Pattern[]): Doc {
  const notes = patterns.filter(({ prefix }) => prefix === undefined).map(({ pattern }) => `keys ${pattern}`);
  return { lines: doc.lines, notes: [...doc.notes, ...notes.flatMap((note) => commentLines(note).slice(0, 1))] };
}
