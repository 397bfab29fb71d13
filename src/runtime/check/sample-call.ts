// A small call of a tool that its input schema accepts, made of what the schema requires.
import { isObject } from "../../is-object.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isIdentifier, pathStep } from "../../json-path.ts";
import { resolve } from "../../registry/describe-schema.ts";
import { readSchema, type Schema } from "../../registry/schema.ts";
import type { OfferedTool } from "../../registry/surface.ts";
import type { Step } from "./findings.ts";

const depthAtMost = 4;
const callChars = 300;

/** How a program names a tool. */
export const accessorOf = ({ name, alias }: Pick<OfferedTool, "name" | "alias">): string =>
  `tools${pathStep(isIdentifier(name) ? name : (alias ?? name))}`;

/** A part of the arguments that a call is to show, and its value where that is known. */
export interface Shown {
  readonly path: readonly Step[];
  readonly value?: JsonValue;
}

/** `await tools.name({ … })`; `undefined` where no short call is known to be accepted. No code of the host is run for it. */
export async function sampleCall(offered: OfferedTool, shown: Shown = { path: [] }): Promise<string | undefined> {
  const { json } = offered.tool.input;
  const full = await acceptedSample(json, shown);
  const args = full ?? (shown.path.length > 0 ? await acceptedSample(json, { path: [] }) : undefined);
  if (args === undefined) return undefined;
  const text = `await ${accessorOf(offered)}(${Object.keys(args).length === 0 ? "" : literal(args)})`;
  return text.length <= callChars ? text : undefined;
}

async function acceptedSample(json: JsonObject, shown: Shown): Promise<JsonObject | undefined> {
  const args = sample(json, json, 0, shown);
  if (!isObject(args)) return undefined;
  try {
    return (await checkOf(json).parse(args)).ok ? args : undefined;
  } catch {
    return undefined;
  }
}

const checks = new WeakMap<JsonObject, Schema>();

/** The check that the JSON Schema makes, whatever the tool checks its arguments with. */
function checkOf(json: JsonObject): Schema {
  let check = checks.get(json);
  if (check === undefined) {
    check = readSchema(json, { what: "a sample", io: "input", warn: () => undefined });
    checks.set(json, check);
  }
  return check;
}

function sample(given: unknown, root: JsonObject, depth: number, shown?: Shown): JsonValue {
  const schema = resolve(given, root);
  if (shown?.path.length === 0 && shown.value !== undefined) return shown.value;
  if (!isObject(schema) || depth > depthAtMost) return "...";
  const [example] = Array.isArray(schema.examples) ? (schema.examples as readonly JsonValue[]) : [];
  for (const known of [schema.const, schema.default, example]) if (known !== undefined) return known as JsonValue;
  if (Array.isArray(schema.enum)) return schema.enum[0] as JsonValue;
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && schema.properties === undefined) return sample(branches[0], root, depth + 1, shown);
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return ofType(types.find((type) => type !== "null") ?? types[0], schema, root, depth, shown);
}

function ofType(
  type: unknown,
  schema: JsonObject | Readonly<Record<string, unknown>>,
  root: JsonObject,
  depth: number,
  shown?: Shown,
): JsonValue {
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
    case "array": {
      const hasItem = typeof schema.minItems === "number" && schema.minItems > 0;
      return hasItem || typeof shown?.path[0] === "number"
        ? [sample(schema.items, root, depth + 1, stepInto(shown, shown?.path[0]))]
        : [];
    }
    default:
      return objectOf(schema, root, depth, shown);
  }
}

function objectOf(
  schema: Readonly<Record<string, unknown>>,
  root: JsonObject,
  depth: number,
  shown?: Shown,
): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const wanted = shown?.path[0];
  const isWanted = typeof wanted === "string" && Object.hasOwn(properties, wanted);
  const names = [...new Set([...required, ...(isWanted ? [wanted] : [])])];
  return Object.fromEntries(
    names.map((name) => [name, sample(properties[name], root, depth + 1, stepInto(shown, name))]),
  );
}

/** What is left to show inside the part under this step. */
function stepInto(shown: Shown | undefined, step: Step | undefined): Shown | undefined {
  const [first, ...path] = shown?.path ?? [];
  return shown === undefined || first === undefined || first !== step ? undefined : { ...shown, path };
}

function literal(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => literal(item)).join(", ")}]`;
  const fields = Object.entries(value).map(
    ([name, item]) => `${isIdentifier(name) ? name : JSON.stringify(name)}: ${literal(item)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
