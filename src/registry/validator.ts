// JSON Schema by ajv. Every schema has an instance of its own, so that equal `$id`s never meet and nothing outlives
// the schema; keywords and formats that ajv does not know are annotations; nothing is coerced or filled in.
import { _, Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalJson, type JsonObject, type JsonValue } from "../json.ts";
import { bounds } from "../limits.ts";
import { describeValue } from "./describe-value.ts";
import { childOf, readPointer } from "./json-pointer.ts";
import type { Complaint } from "./issues.ts";
import { keywordRules } from "./keywords.ts";
import { makeMeter, type Meter } from "./meter.ts";
import { makePatternEngine, type PatternEngine } from "./pattern-engine.ts";

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
  verbose: true,
  // Or a large definition is compiled anew wherever it is referred to.
  inlineRefs: false,
  // Or `{}` would hold a property named `constructor`.
  ownProperties: true,
};

/** Steps for finding all mistakes, of which a few are told. */
const thoroughSteps = 100_000;
/** Parts of a keyword, as the branches of a union, that are seen to in one step. */
const partsAtOnce = 4;
const calling: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);
const stepsOfCompare = 4;
const comparing: ReadonlySet<string> = new Set(["const", "enum"]);
/** Keywords that go over the items, properties or characters of a value. */
const looping: ReadonlySet<string> = new Set(
  "items additionalItems unevaluatedItems contains additionalProperties patternProperties propertyNames unevaluatedProperties minLength maxLength".split(
    " ",
  ),
);

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

/** Throws where the schema cannot be compiled; `note` hears of patterns that are left unchecked. What it gives throws where a check goes on too long or too deep. */
export function compileSchema(json: JsonObject, dialect: Dialect, note: (message: string) => void): Checker {
  const meter = makeMeter(bounds.checkSteps);
  const patterns = makePatternEngine(json, meter, note);
  const regExp = Object.assign((pattern: string) => patterns.match(pattern), { code: "pattern" });
  const meta = /"\$ref":"https?:\/\/json-schema\.org\//.test(JSON.stringify(json));
  const make = (allErrors: boolean) => {
    const ajv = new constructors[dialect]({ ...options, allErrors, meta, code: { optimize: false, regExp } });
    ajv.removeKeyword("id");
    ajv.removeKeyword("uniqueItems");
    ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", validate: makeUnique(meter) });
    countSteps(ajv, meter, patterns);
    return ajv.compile(json);
  };
  const quick = make(false);
  // Finding every mistake costs more, so it waits for the first value that has one, and may be given up.
  const thorough = once(() => make(true));
  return (value) => {
    meter.reset();
    if (quick(value)) return undefined;
    const first = quick.errors ?? [];
    try {
      const all = thorough();
      meter.reset(thoroughSteps);
      return all(value) ? first : (all.errors ?? first);
    } catch {
      return first;
    }
  };
}

/** Equal as JSON is what has the same canonical text; comparing each item with each takes quadratic time. */
const makeUnique = (meter: Meter) => (isOn: boolean, items: readonly JsonValue[]) => {
  const seen = new Set<string>();
  return (
    !isOn ||
    items.every((item) => {
      const text = canonicalJson(item);
      meter.spend(2 + text.length / 2);
      return seen.size < seen.add(text).size;
    })
  );
};

/** Makes the code of each keyword that calls, loops or has many parts count them before it runs. */
function countSteps(ajv: Ajv, meter: Meter, patterns: PatternEngine): void {
  for (const keyword of Object.keys(ajv.RULES.all)) {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== "object" || !("code" in definition)) continue;
    const { code } = definition;
    definition.code = (context, type) => {
      const given: unknown = context.schema;
      if (keyword === "patternProperties") context.schema = freeUnchecked(given, patterns);
      const parts = comparing.has(keyword) ? literalsOf(given) : Math.floor(partsOf(given) / partsAtOnce);
      const steps = parts + (calling.has(keyword) ? 1 : 0);
      const spend = _`${context.gen.scopeValue("func", { ref: meter.spend })}`;
      if (looping.has(keyword)) context.gen.code(_`${spend}(${steps}, ${context.data})`);
      else if (steps > 0) context.gen.code(_`${spend}(${steps})`);
      code(context, type);
    };
  }
}

/** The patterns that are left unchecked let any property through, and it counts as known. */
function freeUnchecked(given: unknown, patterns: PatternEngine): unknown {
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([pattern, schema]) => [pattern, patterns.isUnchecked(pattern) ? true : schema]),
  );
}

/** Comparing with an object or array is a call, with a text or number next to nothing. */
const literalsOf = (given: unknown): number =>
  typeof given !== "object" || given === null
    ? 0
    : Object.values(given).reduce<number>((sum, item) => sum + literalsOf(item) + 1 / partsAtOnce, stepsOfCompare);

const partsOf = (given: unknown): number =>
  typeof given === "object" && given !== null ? Object.keys(given).length : 0;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
