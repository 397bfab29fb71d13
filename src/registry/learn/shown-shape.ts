import type { JsonObject } from "../../json.ts";
import { bounds } from "../../limits.ts";
import { countShapes, type Shape } from "./shape.ts";

/** The JSON Schema of what is told of a shape, as deep as it stays short; undefined where it says nothing. */
export function shownShape(shape: Shape): JsonObject | undefined {
  if (isSilent(shape)) return undefined;
  let depth = bounds.learnedDepth;
  let shown = cutAt(shape, depth);
  while (depth > 1 && countShapes(shown) > bounds.learnedShown) shown = cutAt(shape, (depth -= 1));
  return schemaOf(shown);
}

/** What was never seen but as `null` may be anything the next time. */
const isSilent = ({ type }: Shape): boolean => type === undefined || type.join() === "null";

const isDeep = ({ type }: Shape): boolean => type?.some((kind) => kind === "array" || kind === "object") === true;

function cutAt(shape: Shape, depth: number): Shape {
  if (depth === 0 && isDeep(shape)) return {};
  const { items, properties, additionalProperties, ...rest } = shape;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: cutAt(items, depth - 1) }),
    ...(properties === undefined ? {} : { properties: mapFields(properties, (inner) => cutAt(inner, depth - 1)) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: cutAt(additionalProperties, depth - 1) }),
  };
}

function schemaOf(shape: Shape): JsonObject {
  if (isSilent(shape)) return {};
  const { type = [], items, properties, required, additionalProperties } = shape;
  return {
    type: type.length === 1 ? (type[0] ?? []) : type,
    ...(items === undefined ? {} : { items: schemaOf(items) }),
    ...(properties === undefined ? {} : { properties: mapFields(properties, schemaOf) }),
    ...(required === undefined ? {} : { required }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: schemaOf(additionalProperties) }),
  };
}

const mapFields = <T>(fields: Readonly<Record<string, Shape>>, map: (shape: Shape) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([key, shape]) => [key, map(shape)]));
