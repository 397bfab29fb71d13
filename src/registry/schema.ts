import { Fault } from "../errors.ts";
import { type JsonObject, parseJson } from "../json.ts";
import { bounds } from "../limits.ts";
import { copySchema } from "./copy-schema.ts";
import { type Check, instead, makeCheck, passUnchecked, type Parsed, type SchemaUse } from "./make-check.ts";
import { isStandard, standardJson, type StandardSchemaV1 } from "./standard.ts";
import { makeStandardCheck } from "./standard-check.ts";
import { findBrokenKeyword, readDialect } from "./validator.ts";

export { describeIssues } from "./issues.ts";
export type { Parsed, SchemaUse } from "./make-check.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A zod or other Standard Schema, a JSON Schema, or both where the Standard Schema gives no JSON Schema itself. */
export type SchemaInput<T> =
  | StandardSchemaV1<unknown, T>
  | JsonSchema
  | { readonly schema: StandardSchemaV1<unknown, T>; readonly jsonSchema: JsonSchema };

/** A schema ready for use: its JSON Schema, frozen and whole, for declarations; its own parsing for values. */
export interface Schema extends Check {
  readonly json: JsonObject;
}

/** Throws `schema_unsupported` where there is no JSON Schema to be had; a broken one is reported and checks nothing. */
export function readSchema(input: unknown, use: SchemaUse): Schema {
  if (isStandard(input)) return standardSchema(input, standardJson(input, use.what), use);
  if (isShape(input)) {
    throw new Fault(
      "schema_unsupported",
      `${use.what} is a plain object of schemas; make one schema of it, as z.object({ ... })`,
    );
  }
  if (isPair(input)) return standardSchema(input.schema, input.jsonSchema, use);
  if (input === null || input === undefined || input === true) return jsonSchema({}, use);
  if (typeof input !== "object" || Array.isArray(input)) {
    use.warn(`${use.what} is no schema; ${instead(use.io)}`);
    return jsonSchema({}, use);
  }
  return jsonSchema(input, use);
}

const isPair = (value: unknown): value is { readonly schema: StandardSchemaV1; readonly jsonSchema: unknown } =>
  typeof value === "object" && value !== null && "schema" in value && "jsonSchema" in value && isStandard(value.schema);

/** The fields that are to be given to `z.object`, as they are. */
const isShape = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !isPair(value) && Object.values(value).some(isStandard);

function standardSchema(schema: StandardSchemaV1, given: unknown, use: SchemaUse): Schema {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Fault("schema_unsupported", `${use.what}: the JSON Schema must be an object`);
  }
  const { json, size } = copyJson(given, use);
  const dialect = readDialect(json.$schema) ?? "2020-12";
  return Object.freeze<Schema>({ json, ...makeStandardCheck(schema, { json, dialect }, size, use) });
}

function jsonSchema(given: object, use: SchemaUse): Schema {
  const { json, size } = copyJson(given, use);
  const reject = (message: string): Schema => {
    use.warn(`${use.what} ${message}; ${instead(use.io)}`);
    return uncheckedSchema(json, use.io);
  };
  if (size > bounds.schemaSize) return reject(`is of size ${size}, over the ${bounds.schemaSize} that are checked`);
  const dialect = chooseDialect(json, use);
  const broken = findBrokenKeyword(json, dialect);
  if (broken !== undefined) {
    use.fail?.(`is broken at ${broken}`);
    return reject(`is broken at ${broken}`);
  }
  return Object.freeze<Schema>({ json, ...makeCheck({ json, dialect }, size, use) });
}

function uncheckedSchema(json: JsonObject, io: SchemaUse["io"]): Schema {
  const parse = passUnchecked(io);
  const parseText = (text: string): Parsed =>
    io === "output" ? { ok: true, value: undefined } : parse(parseJson(text));
  return Object.freeze<Schema>({ json, parse, parseText });
}

/** Where none is named, 2020-12, unless only draft-07 can read the schema. */
function chooseDialect(json: JsonObject, use: SchemaUse): "draft-07" | "2019-09" | "2020-12" {
  const named = readDialect(json.$schema);
  if (named !== undefined) return named;
  if (json.$schema !== undefined) {
    use.warn(
      `${use.what} names the dialect ${JSON.stringify(json.$schema)}, which is not known; it is read as 2020-12`,
    );
  }
  const isOlder = findBrokenKeyword(json, "2020-12") !== undefined && findBrokenKeyword(json, "draft-07") === undefined;
  return isOlder ? "draft-07" : "2020-12";
}

/** The schema as JSON and its size; one that is too large or too deep is shown as any object, with a warning. */
function copyJson(given: object, use: SchemaUse): { readonly json: JsonObject; readonly size: number } {
  const anything: JsonObject = Object.freeze(use.io === "input" ? { type: "object" } : {});
  const { json, size } = copySchema(given, use.what);
  if (json !== undefined) return { json: Object.keys(json).length === 0 ? anything : json, size };
  use.warn(
    `${use.what} is of a size over ${bounds.schemaKept} or nests more than ${bounds.schemaDepth} levels deep and is not kept; ${instead(use.io)}`,
  );
  return { json: anything, size: 0 };
}
