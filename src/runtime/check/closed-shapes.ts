// Which objects of a schema admit no names but the listed ones. Declarations do not say so, so a type is known by its set
// of names: such a set is closed where every object that has it is. What is put together from several schemas is open, and
// may have any of the names that are found in these.
import { isObject } from "../../is-object.ts";
import type { JsonValue } from "../../json.ts";
import { childOf, decodeFragment, readPointer } from "../../registry/json-pointer.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Names of an object, as the key of their set. */
export const shapeKey = (names: readonly string[]): string => JSON.stringify([...new Set(names)].sort());

/** What leads from one schema to another, which is read by itself where nothing stands beside it. */
const leading = ["$ref", "anyOf", "oneOf", "allOf"] as const;
const others = [
  "if",
  "then",
  "else",
  "not",
  "dependentSchemas",
  "dependencies",
  "$dynamicRef",
  "$recursiveRef",
] as const;
const combining: readonly string[] = [...leading, ...others];
const silent = new Set(
  "$defs definitions $schema $id $comment title description default examples deprecated readOnly writeOnly type nullable".split(
    " ",
  ),
);

interface Shapes {
  readonly closed: Set<string>;
  readonly open: Set<string>;
  /** All names of what is put together. */
  readonly merged: ReadonlySet<string>[];
}

/** The keys of all sets of names that are closed wherever they are found in the schemas. */
export function closedShapes(schemas: readonly JsonValue[]): readonly string[] {
  const shapes: Shapes = { closed: new Set(), open: new Set(), merged: [] };
  for (const schema of schemas) read(schema, shapes);
  return [...shapes.closed].filter((key) => {
    const names = JSON.parse(key) as readonly string[];
    return !shapes.open.has(key) && !shapes.merged.some((all) => names.every((name) => all.has(name)));
  });
}

function read(root: JsonValue, { closed, open, merged }: Shapes): void {
  const left: unknown[] = [root];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (Array.isArray(schema)) left.push(...(schema as readonly unknown[]));
    if (!isObject(schema)) continue;
    left.push(...Object.values(schema));
    if (isObject(schema.properties) || Array.isArray(schema.required) || schema.additionalProperties === false) {
      (isClosed(schema) ? closed : open).add(shapeKey(namesOf(schema)));
    }
    if (isPutTogether(schema)) merged.push(namesIn(schema, root));
  }
}

/** Listed names, and those that an object must have all the same. */
function namesOf({ properties, required, propertyNames }: Fields): readonly string[] {
  const listed = isObject(properties) ? Object.keys(properties) : [];
  return [...listed, ...stringsOf(required), ...stringsOf(isObject(propertyNames) ? propertyNames.enum : undefined)];
}

const stringsOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];

function isClosed(schema: Fields): boolean {
  const { properties, required } = schema;
  return (
    (schema.additionalProperties === false || schema.unevaluatedProperties === false) &&
    schema.patternProperties === undefined &&
    schema.propertyNames === undefined &&
    stringsOf(required).every((name) => isObject(properties) && Object.hasOwn(properties, name)) &&
    combining.every((keyword) => schema[keyword] === undefined)
  );
}

function isPutTogether(schema: Fields): boolean {
  const telling = Object.keys(schema).filter((keyword) => !silent.has(keyword));
  if (!telling.some((keyword) => combining.includes(keyword))) return false;
  const [only, ...more] = telling;
  if (more.length > 0 || !leading.some((keyword) => keyword === only)) return true;
  return only === "allOf" && Array.isArray(schema.allOf) && schema.allOf.length > 1;
}

/** Every word that may be a name in a schema and in those that it refers to. */
function namesIn(schema: unknown, root: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  const left: unknown[] = [schema];
  const seen = new Set<unknown>();
  while (left.length > 0) {
    const at = left.pop();
    if (typeof at === "string") names.add(at);
    if (typeof at !== "object" || at === null || seen.has(at)) continue;
    seen.add(at);
    if (Array.isArray(at)) {
      left.push(...(at as readonly unknown[]));
      continue;
    }
    for (const [key, value] of Object.entries(at)) {
      names.add(key);
      if (key !== "$defs" && key !== "definitions") left.push(value);
    }
    const ref = childOf(at, "$ref");
    if (typeof ref !== "string") continue;
    // Where it is not known what is meant, it may be anything here.
    const isPointer = ref === "#" || ref.startsWith("#/");
    left.push(
      isPointer ? readPointer(decodeFragment(ref.slice(1)), root).reduce<unknown>(childOf, root) : [root, defsOf(root)],
    );
  }
  return names;
}

const defsOf = (root: unknown): readonly unknown[] => ["$defs", "definitions"].map((key) => childOf(root, key));
