import type { StandardSchemaV1 } from "@standard-schema/spec";
import { Fault, messageOf } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { type Issue, readComplaints } from "./issues.ts";
import { isStandard, readIssues, standardJson } from "./standard.ts";
import { type Checker, compileSchema, findBrokenKeyword, readDialect } from "./validator.ts";

export { describeIssues, type Issue } from "./issues.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A zod or other Standard Schema, a JSON Schema, or both where the Standard Schema gives no JSON Schema itself. */
export type SchemaInput<T> =
  | StandardSchemaV1<unknown, T>
  | JsonSchema
  | { readonly schema: StandardSchemaV1<unknown, T>; readonly jsonSchema: JsonSchema };

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A schema ready for use: its JSON Schema, frozen and whole, for declarations; its own parsing for values. */
export interface Schema {
  readonly json: JsonObject;
  /** Synchronous unless a Standard Schema validates asynchronously; never fills in or coerces beyond what that schema does. */
  readonly parse: (value: JsonValue) => Parsed | Promise<Parsed>;
}

export interface SchemaUse {
  /** Whose schema it is, for messages: `tool "x", inputSchema`. */
  readonly what: string;
  /** An input is always an object. */
  readonly io: "input" | "output";
  /** Hears of what is not checked, at once or at the first use. */
  readonly warn: (message: string) => void;
}

/** Throws `schema_unsupported` where there is no JSON Schema to be had; a broken one is reported and checks nothing. */
export function readSchema(input: unknown, use: SchemaUse): Schema {
  if (isStandard(input)) return standardSchema(input, standardJson(input, use.what), use);
  if (isPair(input)) return standardSchema(input.schema, input.jsonSchema, use);
  if (input === null || input === undefined || input === true) return jsonSchema({}, use);
  if (typeof input !== "object" || Array.isArray(input)) {
    use.warn(`${use.what} is no schema; ${instead(use)}`);
    return unchecked(copyJson({}, use));
  }
  return jsonSchema(input, use);
}

const isPair = (value: unknown): value is { readonly schema: StandardSchemaV1; readonly jsonSchema: unknown } =>
  typeof value === "object" && value !== null && "schema" in value && "jsonSchema" in value && isStandard(value.schema);

function standardSchema(schema: StandardSchemaV1, given: unknown, use: SchemaUse): Schema {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Fault("schema_unsupported", `${use.what}: the JSON Schema must be an object`);
  }
  const json = copyJson(given, use);
  const read = (result: StandardSchemaV1.Result<unknown>, value: JsonValue): Parsed =>
    result.issues === undefined
      ? { ok: true, value: result.value }
      : { ok: false, issues: readIssues(result.issues, value, json) };
  return Object.freeze<Schema>({
    json,
    parse(value) {
      const result = schema["~standard"].validate(value);
      return result instanceof Promise ? result.then((late) => read(late, value)) : read(result, value);
    },
  });
}

function jsonSchema(given: object, use: SchemaUse): Schema {
  const json = copyJson(given, use);
  const dialect = chooseDialect(json, use);
  const broken = findBrokenKeyword(json, dialect);
  if (broken !== undefined) {
    use.warn(`${use.what} is broken at ${broken}; ${instead(use)}`);
    return unchecked(json);
  }
  let check: Checker | undefined;
  return Object.freeze<Schema>({
    json,
    parse(value) {
      check ??= compile();
      const complaints = check(value);
      return complaints === undefined
        ? { ok: true, value }
        : { ok: false, issues: readComplaints(complaints, json, value) };
    },
  });

  function compile(): Checker {
    try {
      return compileSchema(json, dialect, (message) => use.warn(`${use.what}: ${message}`));
    } catch (error) {
      use.warn(`${use.what} cannot be used: ${messageOf(error)}; ${instead(use)}`);
      return () => undefined;
    }
  }
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

const unchecked = (json: JsonObject): Schema =>
  Object.freeze<Schema>({ json, parse: (value) => ({ ok: true, value }) });

const instead = ({ io }: SchemaUse): string =>
  io === "input" ? "any object is let through" : "results are not checked";

function copyJson(given: object, use: SchemaUse): JsonObject {
  try {
    const json = JSON.parse(JSON.stringify(given)) as JsonObject;
    return freeze(use.io === "input" && Object.keys(json).length === 0 ? { type: "object" } : json);
  } catch (error) {
    throw new Fault("schema_unsupported", `${use.what} is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
