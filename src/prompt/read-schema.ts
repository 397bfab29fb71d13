import { bounds } from "../limits.ts";
import { startReading } from "./read-context.ts";
import { readNot } from "./read-not.ts";
import { readObject } from "./read-object.ts";
import { readArray } from "./read-array.ts";
import { isObject } from "../is-object.ts";
import { isList } from "./schema-index.ts";
import { literalText } from "./literal-text.ts";
import { allKinds, isWord, kindOf, slot, wordNode } from "./type-node.ts";
import type { Definition, Place, Reading, TypeOptions } from "./read-context.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Kind, TypeNode } from "./type-node.ts";

export interface ReadTypes {
  /** The document's root, then what its references name. */
  readonly definitions: readonly Definition[];
  readonly warnings: readonly string[];
}

/** Reads a document into types; what cannot be read is `unknown` there, with a warning, and harms nothing beside it. */
export function readTypes(root: JsonValue, options: TypeOptions): ReadTypes {
  const reading = startReading(root, options);
  const definitions: Definition[] = [];
  for (let entry = reading.next(); entry !== undefined; entry = reading.next()) {
    const { schema, base, hint } = entry.target;
    const type = read(reading, schema, { path: entry.path, base, depth: 0, kinds: undefined });
    definitions.push({ type, doc: reading.docOf(schema), hint });
  }
  return { definitions, warnings: reading.warnings };
}

/** The type of one schema; keywords are conjunctive, so each gives a part of an intersection. */
function read(reading: Reading, schema: JsonValue, place: Place): TypeNode {
  if (schema === true) return wordNode("unknown");
  if (schema === false) return wordNode("never");
  if (!isObject(schema)) {
    reading.warn(place, `expected a schema, found ${JSON.stringify(schema)?.slice(0, 40)}`);
    return wordNode("unknown");
  }
  const deep = place.depth > bounds.typeDepth;
  if (deep || !reading.take()) {
    reading.warn(place, deep ? "a schema nested too deep" : "a schema of too many parts");
    return wordNode("unknown");
  }
  const base = reading.baseOf(schema, place.base);
  const declared = typesOf(reading, schema, place);
  const kinds = declared ?? place.kinds ?? guessKinds(reading, schema);
  const here: Place = { ...place, base, kinds };
  const parts: TypeNode[] = [readOwn(reading, schema, here, declared)];
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const ref = schema[keyword];
    if (typeof ref === "string") parts.push(readRef(reading, ref, here));
  }
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const list = schema[keyword];
    if (!isList(list) || list.length === 0) continue;
    const members = list.map((item, i) => {
      const at = within(here, `${keyword}/${i}`);
      return slot(read(reading, item, at), reading.docOf(item));
    });
    if (keyword === "allOf") parts.push(...members.map((member) => member.type));
    else parts.push({ kind: "union", members });
  }
  const [then, otherwise] = [schema["then"], schema["else"]];
  if (schema["if"] !== undefined && then !== undefined && otherwise !== undefined) {
    const yes = read(reading, then, within(here, "then"));
    const no = read(reading, otherwise, within(here, "else"));
    parts.push({ kind: "union", members: [slot(yes), slot(no)] });
  }
  const negated = schema["not"];
  if (negated !== undefined) parts.push(readNot(negated, kinds));
  const said = parts.filter((part) => !isWord(part, "unknown"));
  const [only = wordNode("unknown"), ...more] = said;
  return more.length === 0 ? only : { kind: "all", parts: said };
}

function readRef(reading: Reading, ref: string, place: Place): TypeNode {
  const id = reading.refer(ref, place);
  if (id !== undefined) return { kind: "ref", id };
  reading.warn(place, `cannot resolve $ref ${JSON.stringify(ref)}`);
  return wordNode("unknown");
}

function readOwn(
  reading: Reading,
  schema: JsonObject,
  place: Place,
  declared: ReadonlySet<Kind> | undefined,
): TypeNode {
  const literals = literalsOf(schema);
  if (literals !== undefined) {
    const fractions = !isWhole(schema["type"]);
    const fits = (value: JsonValue): boolean =>
      (declared ?? allKinds).has(kindOf(value)) && (fractions || typeof value !== "number" || Number.isInteger(value));
    const allowed = literals.filter(fits);
    if (schema["nullable"] === true) allowed.push(null);
    return { kind: "union", members: allowed.map((value) => slot(literalNode(value))) };
  }
  // A format alone narrows no type, but it is a choice of its own in a union.
  const speaks = declared !== undefined || spokenOf(schema).length > 0 || typeof schema["format"] === "string";
  if (place.kinds === undefined || !speaks) return wordNode("unknown");
  const members: TypeNode[] = [];
  for (const kind of place.kinds) {
    if (kind === "object") members.push(readObject({ reading, schema, place, read }));
    else if (kind === "array") members.push(readArray({ reading, schema, place, read }));
    else members.push(wordNode(kind));
  }
  if (schema["nullable"] === true) members.push(wordNode("null"));
  const [only] = members;
  return members.length === 1 && only !== undefined
    ? only
    : { kind: "union", members: members.map((type) => slot(type)) };
}

function literalNode(value: JsonValue): TypeNode {
  return value === null ? wordNode("null") : { kind: "literal", of: kindOf(value), text: literalText(value) };
}

/** The values of `enum` and `const`, of both where both are given. */
function literalsOf(schema: JsonObject): JsonValue[] | undefined {
  const listed = schema["enum"];
  const values = isList(listed) ? [...listed] : undefined;
  if (!Object.hasOwn(schema, "const")) return values;
  const only = schema["const"] ?? null;
  if (values === undefined) return [only];
  const text = literalText(only);
  return values.filter((value) => literalText(value) === text);
}

function isWhole(type: JsonValue | undefined): boolean {
  const types = isList(type) ? type : [type];
  return types.includes("integer") && !types.includes("number");
}

function typesOf(reading: Reading, schema: JsonObject, place: Place): ReadonlySet<Kind> | undefined {
  const type = schema["type"];
  if (type === undefined) return undefined;
  const kinds = new Set<Kind>();
  for (const item of isList(type) ? type : [type]) {
    const kind = item === "integer" ? "number" : [...allKinds].find((known) => known === item);
    if (kind === undefined) {
      reading.warn(place, `type is ${JSON.stringify(item)?.slice(0, 40)}`, "read without it");
      return undefined;
    }
    kinds.add(kind);
  }
  return kinds;
}

const keywords: Readonly<Record<"object" | "array" | "string" | "number", readonly string[]>> = {
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
  ],
  array: ["items", "prefixItems", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems"],
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

function spokenOf(schema: JsonObject): readonly Kind[] {
  const kinds = ["object", "array", "string", "number"] as const;
  return kinds.filter((kind) => keywords[kind].some((keyword) => Object.hasOwn(schema, keyword)));
}

// Authors leave `type` out where the other keywords make it plain; the letter of the standard would admit anything else too.
function guessKinds(reading: Reading, schema: JsonObject): ReadonlySet<Kind> | undefined {
  const spoken = spokenOf(schema);
  if (spoken.length === 0) return undefined;
  if (reading.options.exact) return allKinds;
  return spoken.length === 1 ? new Set(spoken) : undefined;
}

function within(place: Place, step: string): Place {
  return { ...place, path: `${place.path}/${step}`, depth: place.depth + 1 };
}
