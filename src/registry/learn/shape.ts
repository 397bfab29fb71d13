// What results look like: kinds of values and names of fields, never a value. A shape is a JSON Schema of few keywords. Two
// shapes merge to one that holds for what either holds for, so the order in which results come makes no difference: a shape
// says the same as if all of them had been looked at together.
import { isObject } from "../../is-object.ts";
import type { JsonValue } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { isFieldName } from "./field-names.ts";

const kinds = ["array", "boolean", "null", "number", "object", "string"] as const;
type Kind = (typeof kinds)[number];

/** `{}` holds for anything. Objects have `properties` and `required`, or `additionalProperties` where their keys are data. */
export interface Shape {
  readonly type?: readonly Kind[];
  /** Absent where only empty arrays were seen. */
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape;
}

export const anything: Shape = Object.freeze({});

/** The shape of one value; what nests too deep in it may be anything. */
export function shapeOf(value: JsonValue, depth = 0): Shape {
  if (typeof value !== "object") return { type: [typeof value as Kind] };
  if (value === null) return { type: ["null"] };
  if (depth >= bounds.learnedDepth) return anything;
  if (Array.isArray(value)) {
    const items = mergeAll(value.map((item: JsonValue) => shapeOf(item, depth + 1)));
    return { type: ["array"], ...(items === undefined ? {} : { items }) };
  }
  const fields = Object.entries(value).map(([key, item]) => [key, shapeOf(item, depth + 1)] as const);
  return { type: ["object"], ...fieldsOf(new Map(fields), new Set(Object.keys(value))) };
}

/** The narrowest shape that holds for all that either holds for. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  if (a.type === undefined || b.type === undefined) return anything;
  const types = new Set([...a.type, ...b.type]);
  const items = mergeAll([a.items, b.items]);
  return {
    type: kinds.filter((kind) => types.has(kind)),
    ...(items === undefined ? {} : { items }),
    ...mergeObjects(a, b),
  };
}

/** How many shapes there are in one, itself included. */
export function countShapes(shape: Shape): number {
  return innerShapes(shape).reduce((sum, inner) => sum + countShapes(inner), 1);
}

function mergeAll(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  let merged: Shape | undefined;
  for (const shape of shapes)
    if (shape !== undefined) merged = merged === undefined ? shape : mergeShapes(merged, shape);
  return merged;
}

type Fields = Pick<Shape, "properties" | "required" | "additionalProperties">;

function mergeObjects(a: Shape, b: Shape): Fields {
  if (!a.type?.includes("object")) return pickFields(b);
  if (!b.type?.includes("object")) return pickFields(a);
  if (a.additionalProperties !== undefined || b.additionalProperties !== undefined) {
    return recordOf([a, b].flatMap((shape) => [shape.additionalProperties, ...Object.values(shape.properties ?? {})]));
  }
  const fields = new Map(Object.entries(a.properties ?? {}));
  for (const [key, shape] of Object.entries(b.properties ?? {})) {
    const known = fields.get(key);
    fields.set(key, known === undefined ? shape : mergeShapes(known, shape));
  }
  const always = new Set(b.required);
  return fieldsOf(fields, new Set(a.required?.filter((key) => always.has(key))));
}

function pickFields({ properties, required, additionalProperties }: Shape): Fields {
  if (additionalProperties !== undefined) return { additionalProperties };
  return properties === undefined ? {} : { properties, required: required ?? [] };
}

const recordOf = (values: readonly (Shape | undefined)[]): Fields => ({
  additionalProperties: mergeAll(values) ?? anything,
});

/** Keys that are data, or that are too many to be names, are not kept. */
function fieldsOf(fields: ReadonlyMap<string, Shape>, always: ReadonlySet<string>): Fields {
  const keys = [...fields.keys()].sort();
  if (keys.length > bounds.learnedKeys || !keys.every(isFieldName)) return recordOf([...fields.values()]);
  return {
    properties: Object.fromEntries(keys.map((key) => [key, fields.get(key) ?? anything])),
    required: keys.filter((key) => always.has(key)),
  };
}

const innerShapes = ({ items, properties = {}, additionalProperties }: Shape): readonly Shape[] =>
  [items, additionalProperties, ...Object.values(properties)].filter((shape) => shape !== undefined);

/** A shape as it was written down, by the rules that hold now; undefined for what is none. */
export function readShape(given: unknown, depth = 0): Shape | undefined {
  if (!isObject(given)) return undefined;
  if (given.type === undefined) return anything;
  if (!Array.isArray(given.type)) return undefined;
  const type = kinds.filter((kind) => (given.type as readonly unknown[]).includes(kind));
  if (type.length === 0 || type.length !== given.type.length) return undefined;
  const isDeep = type.includes("array") || type.includes("object");
  if (isDeep && depth >= bounds.learnedDepth) return anything;
  const shape: { type: readonly Kind[]; items?: Shape } = { type };
  if (type.includes("array") && given.items !== undefined) {
    const items = readShape(given.items, depth + 1);
    if (items === undefined) return undefined;
    shape.items = items;
  }
  if (!type.includes("object")) return shape;
  const fields = readFields(given, depth + 1);
  return fields === undefined ? undefined : { ...shape, ...fields };
}

function readFields(given: Readonly<Record<string, unknown>>, depth: number): Fields | undefined {
  if (given.additionalProperties !== undefined) {
    const values = readShape(given.additionalProperties, depth);
    return values === undefined ? undefined : recordOf([values]);
  }
  if (!isObject(given.properties) || !Array.isArray(given.required)) return undefined;
  const fields = new Map<string, Shape>();
  for (const [key, inner] of Object.entries(given.properties)) {
    const shape = readShape(inner, depth);
    if (shape === undefined) return undefined;
    fields.set(key, shape);
  }
  return fieldsOf(fields, new Set((given.required as readonly unknown[]).filter((key) => typeof key === "string")));
}
