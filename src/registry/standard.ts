import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { Fault, messageOf } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { describeValue, formatPath } from "./describe-value.ts";
import { describeSchema, resolve } from "./describe-schema.ts";
import type { Issue } from "./issues.ts";
import { childOf } from "./json-pointer.ts";

export type { StandardSchemaV1 };

/** A Standard Schema is an object, or a function in some libraries, with this one property. */
export function isStandard(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || !("~standard" in value))
    return false;
  const props = value["~standard"];
  return typeof props === "object" && props !== null && "validate" in props && typeof props.validate === "function";
}

/** The JSON Schema of what the schema takes in; throws `schema_unsupported` where the library gives none. */
export function standardJson(schema: StandardSchemaV1, what: string): unknown {
  const props = schema["~standard"] as StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>;
  const vendor = JSON.stringify(props.vendor);
  const hint = "bring the JSON Schema along, as { schema, jsonSchema }";
  if (typeof props.jsonSchema?.input !== "function") {
    throw new Fault("schema_unsupported", `${what}: the schema, made by ${vendor}, gives no JSON Schema`, {
      hint,
      details: { vendor: props.vendor },
    });
  }
  try {
    return props.jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    const message = `${what}: the schema, made by ${vendor}, gives no JSON Schema: ${messageOf(error)}`;
    throw new Fault("schema_unsupported", message, { hint, details: { vendor: props.vendor }, cause: error });
  }
}

/** A library's issues, with what came added; `json` says what was expected where the library does not. */
export function readIssues(
  issues: readonly StandardSchemaV1.Issue[],
  value: JsonValue,
  json: unknown,
): readonly Issue[] {
  return issues.map((issue) => {
    const { message, path = [] } = issue;
    const keys = path.map((part) => (typeof part === "object" ? part.key : part));
    const shown = keys.map((key) => (typeof key === "number" ? key : String(key)));
    const came = keys.reduce<unknown>(childOf, value);
    const at = { path: formatPath(shown), came: describeValue(came) };
    const said = /^Invalid input: expected (.+), received [^,]+$/.exec(message)?.[1];
    if (said !== undefined) return { ...at, expected: said };
    if ("code" in issue && issue.code === "custom" && message === "Invalid input")
      return { ...at, expected: "what the tool's own check accepts" };
    if (message === "Invalid input") return { ...at, expected: describeSchema(subschema(json, shown), json) };
    return { ...at, expected: message, message };
  });
}

function subschema(json: unknown, keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((schema, key) => {
    const resolved = resolve(schema, json);
    return typeof key === "number" ? childOf(resolved, "items") : childOf(childOf(resolved, "properties"), key);
  }, json);
}
