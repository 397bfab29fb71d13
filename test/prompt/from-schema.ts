import * as fc from "fast-check";
import { isObject } from "../../src/is-object.ts";
import { pointerKeys } from "../../src/registry/json-pointer.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

/** Values that a schema admits, for the keywords that real catalogues use; deep optional parts are left out. */
export function validValues(root: JsonObject): fc.Arbitrary<JsonValue> {
  return read(root, root, 0);
}

type Kind = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

const maxDepth = 4;

function read(given: JsonValue | undefined, root: JsonObject, depth: number): fc.Arbitrary<JsonValue> {
  if (!isObject(given)) return fc.constant("anything");
  const schema = resolve(given, root);
  if (Object.hasOwn(schema, "const")) return fc.constant(schema["const"] ?? null);
  const listed = schema["enum"];
  if (Array.isArray(listed)) return fc.constantFrom(...(listed as JsonValue[]));
  for (const keyword of ["anyOf", "oneOf"]) {
    const members = schema[keyword];
    if (!Array.isArray(members)) continue;
    const { [keyword]: _, ...rest } = schema;
    const possible = (members as JsonObject[]).filter((member) => !("not" in member));
    return fc.oneof(...possible.map((member) => read({ ...rest, ...resolve(member, root) }, root, depth)));
  }
  return fc.oneof(...kindsOf(schema).map((kind) => ofKind(kind, schema, root, depth)));
}

function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  const ref = schema["$ref"];
  if (typeof ref !== "string") return schema;
  let target: JsonValue | undefined = root;
  for (const key of pointerKeys(ref.slice(1)))
    target = Array.isArray(target) ? target[Number(key)] : isObject(target) ? target[key] : undefined;
  const { $ref: _, ...siblings } = schema;
  return { ...(isObject(target) ? resolve(target, root) : {}), ...siblings };
}

function kindsOf(schema: JsonObject): readonly Kind[] {
  const { type } = schema;
  if (typeof type === "string") return [type as Kind];
  if (Array.isArray(type)) return type as Kind[];
  if ("properties" in schema || "required" in schema) return ["object"];
  return "items" in schema ? ["array"] : ["string", "integer", "object"];
}

const number = (value: JsonValue | undefined): number | undefined => (typeof value === "number" ? value : undefined);

function ofKind(kind: Kind, schema: JsonObject, root: JsonObject, depth: number): fc.Arbitrary<JsonValue> {
  switch (kind) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "number":
    case "integer":
      return fc.integer(rangeOf(schema));
    case "string":
      return text(schema);
    case "array": {
      const minLength = number(schema["minItems"]) ?? 0;
      const maxLength = Math.min(number(schema["maxItems"]) ?? Infinity, minLength + (depth > maxDepth ? 0 : 2));
      const items = depth > maxDepth && minLength === 0 ? fc.constant(null) : read(schema["items"], root, depth + 1);
      return schema["uniqueItems"] === true
        ? fc.uniqueArray(items, { minLength, maxLength, comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b) })
        : fc.array(items, { minLength, maxLength });
    }
    default:
      return object(schema, root, depth);
  }
}

function rangeOf(schema: JsonObject): { readonly min: number; readonly max: number } {
  const above = number(schema["exclusiveMinimum"]);
  const below = number(schema["exclusiveMaximum"]);
  const min = Math.ceil(number(schema["minimum"]) ?? (above === undefined ? -1_000 : above + 1));
  const max = Math.floor(number(schema["maximum"]) ?? (below === undefined ? min + 1_000 : below - 1));
  return { min: Math.max(min, -1e9), max: Math.min(max, 1e9) };
}

function text(schema: JsonObject): fc.Arbitrary<string> {
  const { pattern } = schema;
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern, "u"), { size: "xsmall" });
  const minLength = number(schema["minLength"]) ?? 0;
  const maxLength = Math.min(number(schema["maxLength"]) ?? Infinity, minLength + 8);
  return fc.string({ minLength, maxLength });
}

function object(schema: JsonObject, root: JsonObject, depth: number): fc.Arbitrary<JsonValue> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  const needs = isObject(schema["dependentRequired"]) ? schema["dependentRequired"] : {};
  const names = [...new Set([...Object.keys(properties), ...required])].filter(
    (name) => required.includes(name) || depth <= maxDepth,
  );
  const fields = Object.fromEntries(names.map((name) => [name, read(properties[name] ?? {}, root, depth + 1)]));
  return fc.record(fields, { requiredKeys: required }).map((value) => {
    const whole: Record<string, JsonValue> = value;
    for (const [name, others] of Object.entries(needs))
      if (name in whole && !(others as string[]).every((other) => other in whole)) delete whole[name];
    return whole;
  });
}
