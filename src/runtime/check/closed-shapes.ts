// Which objects of a schema admit no names but the listed ones. Declarations do not say so, so a type is known by its set
// of names: such a set is closed where every object that has it is, and what is put together from several schemas is open.
import { isObject } from "../../is-object.ts";
import type { JsonValue } from "../../json.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Names of an object, as the key of their set. */
export const shapeKey = (names: readonly string[]): string => JSON.stringify([...new Set(names)].sort());

const combining = ["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "$ref", "$dynamicRef"] as const;

function namesOf(schema: unknown): readonly string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
}

const isClosed = (schema: Fields): boolean =>
  (schema.additionalProperties === false || schema.unevaluatedProperties === false) &&
  schema.patternProperties === undefined &&
  combining.every((keyword) => schema[keyword] === undefined);

/** The keys of all sets of names that are closed wherever they are found in the schemas. */
export function closedShapes(schemas: readonly JsonValue[]): readonly string[] {
  const closed = new Set<string>();
  const open = new Set<string>();
  const left: unknown[] = [...schemas];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (Array.isArray(schema)) left.push(...(schema as readonly unknown[]));
    if (!isObject(schema)) continue;
    left.push(...Object.values(schema));
    if (isObject(schema.properties) || schema.additionalProperties === false) {
      (isClosed(schema) ? closed : open).add(shapeKey(namesOf(schema)));
    }
    const parts: readonly unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
    if (parts.length > 0) open.add(shapeKey([schema, ...parts].flatMap(namesOf)));
  }
  return [...closed].filter((key) => !open.has(key));
}
