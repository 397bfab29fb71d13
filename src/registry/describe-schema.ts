import { childOf, decodeFragment, readPointer } from "./json-pointer.ts";

const shownChars = 160;
const shownItems = 8;
const depthAtMost = 4;

/** What a schema accepts, in one short phrase: `"a" or null`, `an array of string`, `an object with id, name`. */
export function describeSchema(schema: unknown, root: unknown): string {
  const text = phrase(schema, root, 0);
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`;
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

function phrase(given: unknown, root: unknown, depth: number): string {
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
  if (Array.isArray(branches)) return list(branches.map((branch) => phrase(branch, root, depth + 1)));
  if (Array.isArray(type))
    return list(type.map((one: unknown) => phrase({ ...schema, type: one, enum: undefined }, root, depth + 1)));
  if (type === "array")
    return items === undefined || Array.isArray(items) ? "an array" : `an array of ${phrase(items, root, depth + 1)}`;
  if (type === "object" || (type === undefined && childOf(schema, "properties") !== undefined)) {
    const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    return names.length === 0 ? "an object" : `an object with ${names.slice(0, shownItems).join(", ")}`;
  }
  if (typeof type === "string") return type;
  return Array.isArray(allOf) && allOf.length > 0 ? phrase(allOf[0], root, depth + 1) : "a value";
}

function list(phrases: readonly string[]): string {
  const different = [...new Set(phrases)].filter((one) => one !== "nothing");
  const more = different.length > shownItems ? [`one of ${different.length - shownItems} more`] : [];
  return [...different.slice(0, shownItems), ...more].join(" or ");
}

function literal(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= shownChars / 4 ? text : `${text.slice(0, shownChars / 4)}…`;
}
