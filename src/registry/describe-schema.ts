import { isObject } from "../is-object.ts";
import { shorten } from "../shorten.ts";
import { childOf, decodeFragment, readPointer } from "./json-pointer.ts";

const shownChars = 160;
const shownItems = 8;
const depthAtMost = 4;

/** What a schema accepts, in one short phrase: `"a" or null`, `an array of string`, `an object with id, name`. */
export function describeSchema(schema: unknown, root: unknown): string {
  const text = phrase(schema, root, 0);
  return text.length <= shownChars ? text : shorten(phrase(schema, root, 0, true), shownChars);
}

/** Whether an array or object may be what a schema accepts. */
export function admitsStructure(given: unknown, root: unknown, depth = 0): boolean {
  const schema = resolve(given, root);
  if (!isObject(schema) || depth > depthAtMost) return false;
  const { type, anyOf, oneOf, allOf, enum: values, const: only } = schema;
  if (type !== undefined) return [type].flat().some((one) => one === "array" || one === "object");
  const literals: readonly unknown[] = Array.isArray(values) ? values : [];
  if ([only, ...literals].some((one) => typeof one === "object" && one !== null)) return true;
  if (schema.properties !== undefined || schema.required !== undefined || schema.items !== undefined) return true;
  return [anyOf, oneOf, allOf].flat().some((branch) => admitsStructure(branch, root, depth + 1));
}

/** The schema itself, or what its local `$ref` leads to. */
export function resolve(schema: unknown, root: unknown): unknown {
  let at = schema;
  for (let steps = 0; steps < depthAtMost; steps++) {
    const ref = childOf(at, "$ref");
    if (typeof ref !== "string" || !ref.startsWith("#")) return at;
    at = readPointer(decodeFragment(ref.slice(1)), root).reduce<unknown>(childOf, root);
  }
  return at;
}

/** `brief` names neither items nor properties. */
function phrase(given: unknown, root: unknown, depth: number, brief = false): string {
  const schema = resolve(given, root);
  if (schema === false) return "nothing";
  if (typeof schema !== "object" || schema === null || depth > depthAtMost) return "a value";
  const {
    const: only,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    type,
    items,
    required,
  } = schema as Readonly<Record<string, unknown>>;
  if (only !== undefined) return literal(only);
  if (Array.isArray(values)) return list(values.map(literal));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return list(branches.map((branch) => phrase(branch, root, depth + 1, brief)));
  if (Array.isArray(type))
    return list(type.map((one: unknown) => phrase({ ...schema, type: one, enum: undefined }, root, depth + 1, brief)));
  if (type === "array")
    return brief || items === undefined || Array.isArray(items)
      ? "an array"
      : `an array of ${phrase(items, root, depth + 1)}`;
  if (
    type === "object" ||
    (type === undefined && (required !== undefined || childOf(schema, "properties") !== undefined))
  ) {
    const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    return brief || names.length === 0 ? "an object" : `an object with ${names.slice(0, shownItems).join(", ")}`;
  }
  if (typeof type === "string") return type;
  return Array.isArray(allOf) && allOf.length > 0 ? phrase(allOf[0], root, depth + 1) : "a value";
}

function list(phrases: readonly string[]): string {
  const different = [...new Set(phrases)].filter((one) => one !== "nothing");
  const more = different.length > shownItems ? [`one of ${different.length - shownItems} more`] : [];
  return [...different.slice(0, shownItems), ...more].join(" or ");
}

const literal = (value: unknown): string => shorten(JSON.stringify(value), shownChars / 4);
