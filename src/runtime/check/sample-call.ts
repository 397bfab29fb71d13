// A small call of a tool that its input schema accepts, made of what the schema requires.
import { isObject } from "../../is-object.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isIdentifier, pathStep } from "../../json-path.ts";
import { resolve } from "../../registry/describe-schema.ts";
import type { Schema } from "../../registry/schema.ts";
import type { OfferedTool } from "../../registry/surface.ts";

const depthAtMost = 4;
const callChars = 300;

/** How a program names a tool. */
export const accessorOf = ({ name, alias }: Pick<OfferedTool, "name" | "alias">): string =>
  `tools${pathStep(isIdentifier(name) ? name : (alias ?? name))}`;

/** `await tools.name({ … })`; `undefined` where no short call is known to be accepted. */
export async function sampleCall(offered: OfferedTool): Promise<string | undefined> {
  const { json, parse } = offered.tool.input;
  const args = sample(json, json, 0);
  if (!isObject(args)) return undefined;
  if (!(await isAccepted(parse, args))) return undefined;
  const text = `await ${accessorOf(offered)}(${Object.keys(args).length === 0 ? "" : literal(args)})`;
  return text.length <= callChars ? text : undefined;
}

async function isAccepted(parse: Schema["parse"], args: JsonObject): Promise<boolean> {
  try {
    return (await parse(args)).ok;
  } catch {
    return false;
  }
}

function sample(given: unknown, root: JsonObject, depth: number): JsonValue {
  const schema = resolve(given, root);
  if (!isObject(schema) || depth > depthAtMost) return "...";
  const [example] = Array.isArray(schema.examples) ? (schema.examples as readonly JsonValue[]) : [];
  for (const known of [schema.const, schema.default, example]) if (known !== undefined) return known as JsonValue;
  if (Array.isArray(schema.enum)) return schema.enum[0] as JsonValue;
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && schema.properties === undefined) return sample(branches[0], root, depth + 1);
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return ofType(types.find((type) => type !== "null") ?? types[0], schema, root, depth);
}

function ofType(
  type: unknown,
  schema: JsonObject | Readonly<Record<string, unknown>>,
  root: JsonObject,
  depth: number,
) {
  switch (type) {
    case "string":
      return "...";
    case "number":
    case "integer":
      return typeof schema.minimum === "number" ? Math.max(1, Math.ceil(schema.minimum)) : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return typeof schema.minItems === "number" && schema.minItems > 0 ? [sample(schema.items, root, depth + 1)] : [];
    default:
      return objectOf(schema, root, depth);
  }
}

function objectOf(schema: Readonly<Record<string, unknown>>, root: JsonObject, depth: number): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(required.map((name) => [name, sample(properties[name], root, depth + 1)]));
}

function literal(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => literal(item)).join(", ")}]`;
  const fields = Object.entries(value).map(
    ([name, item]) => `${isIdentifier(name) ? name : JSON.stringify(name)}: ${literal(item)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
