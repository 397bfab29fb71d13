// JSON Schema by ajv. Every schema has an instance of its own, so that equal `$id`s never meet and nothing outlives
// the schema; keywords and formats that ajv does not know are annotations; nothing is coerced or filled in.
import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { messageOf } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { childOf, describeValue, readPointer } from "./describe-value.ts";
import type { Complaint } from "./issues.ts";
import { keywordRules } from "./keywords.ts";

export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** Undefined where the value matches, else all that ajv complains of. */
export type Checker = (value: unknown) => readonly Complaint[] | undefined;

const constructors = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 } as const;

const options: Options = {
  strict: false,
  logger: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  // Or `{}` would hold a property named `constructor`.
  ownProperties: true,
};

/** The dialect that `$schema` names; undefined where it names none that is known. */
export function readDialect($schema: unknown): Dialect | undefined {
  if (typeof $schema !== "string") return undefined;
  const match = /^https?:\/\/json-schema\.org\/(draft-0[67]|draft\/2019-09|draft\/2020-12)\/schema#?$/.exec($schema);
  if (match?.[1] === undefined) return undefined;
  return match[1].startsWith("draft-0") ? "draft-07" : (match[1].slice("draft/".length) as Dialect);
}

/** The first keyword that cannot be what it is, found without compiling; undefined where there is none. */
export function findBrokenKeyword(json: JsonObject, dialect: Dialect): string | undefined {
  const check = keywordChecks[dialect === "draft-07" ? "draft-07" : "2020-12"]();
  if (check(json)) return undefined;
  const deepest = check.errors?.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  );
  if (deepest === undefined) return "#";
  const came = readPointer(deepest.instancePath, json).reduce<unknown>(childOf, json);
  return `#${deepest.instancePath}, which ${deepest.message} and is ${describeValue(came)}`;
}

const keywordChecks = {
  "2020-12": once(() => new Ajv(options).compile(keywordRules["2020-12"])),
  "draft-07": once(() => new Ajv(options).compile(keywordRules["draft-07"])),
};

/** Throws where the schema cannot be compiled; `note` hears of patterns that are none and are left unchecked. */
export function compileSchema(json: JsonObject, dialect: Dialect, note: (message: string) => void): Checker {
  const make = (more: Options) => {
    const meta = /"\$ref":"https?:\/\/json-schema\.org\//.test(JSON.stringify(json));
    const ajv = new constructors[dialect]({ ...options, ...more, meta, code: { regExp: regExpEngine(note) } });
    ajv.removeKeyword("id");
    return ajv.compile(json);
  };
  const quick = make({});
  // Finding every mistake costs more, so it waits for the first value that has one.
  const thorough = once(() => make({ allErrors: true, verbose: true }));
  return (value) => {
    if (quick(value)) return undefined;
    const all = thorough();
    return all(value) ? (quick.errors ?? []) : (all.errors ?? []);
  };
}

function regExpEngine(note: (message: string) => void) {
  const engine = (pattern: string) => {
    for (const flags of ["u", ""]) {
      try {
        return new RegExp(pattern, flags);
      } catch (error) {
        if (flags === "") note(`a pattern is left unchecked: ${messageOf(error)}`);
      }
    }
    return { test: () => true };
  };
  return Object.assign(engine, { code: "regExp" });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
