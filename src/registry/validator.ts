// JSON Schema by ajv. Every schema has an instance of its own, so that equal `$id`s never meet and nothing outlives
// the schema; keywords and formats that ajv does not know are annotations; nothing is coerced or filled in.
import { _, Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalJson, type JsonObject, type JsonValue } from "../json.ts";
import { describeValue } from "./describe-value.ts";
import { childOf, readPointer } from "./json-pointer.ts";
import type { Complaint } from "./complaint.ts";
import { keywordRules } from "./keywords.ts";
import { makeMeter, type Meter, Overspent } from "./meter.ts";
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
/** Steps of a keyword whose code goes on elsewhere or may fail without harm, which costs more. */
const stepsOfKeyword: Readonly<Record<string, number>> = { $ref: 1, $dynamicRef: 1, $recursiveRef: 1, not: 2, if: 2 };
/** Steps of each part of a keyword, as the branches of a union; a quarter of one where it is not here. */
const stepsOfPart: Readonly<Record<string, number>> = { anyOf: 2, oneOf: 2, properties: 1, required: 0.5 };
const stepsOfAnyPart = 0.25;
const stepsOfCompare = 4;
const comparing: ReadonlySet<string> = new Set(["const", "enum"]);
/** Keywords that go over the items, properties or characters of a value; to compare with an object, its properties are counted. */
const looping: ReadonlySet<string> = new Set(
  "items additionalItems unevaluatedItems contains additionalProperties patternProperties propertyNames unevaluatedProperties minLength maxLength minProperties maxProperties".split(
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

/** What checking may take. */
export interface Allowance {
  /** Steps that a check may take which begins now, and who hears what it took. */
  readonly steps: () => number;
  /** Time that a check may take, whatever its steps. */
  readonly checkMs: number;
  readonly spend: (steps: number) => void;
  /** Called before anything is compiled; may throw `Overspent`. */
  readonly compile: () => void;
  /** States that the schema's patterns take at most before the whole schema is refused with `Overspent`. */
  readonly patternStates: number;
}

/** Throws where the schema cannot be compiled; `note` hears of patterns that are left unchecked. What it gives throws where a check goes on too long or too deep. */
export function compileSchema(
  json: JsonObject,
  dialect: Dialect,
  note: (message: string) => void,
  allowance: Allowance,
): Checker {
  const meter = makeMeter();
  const patterns = makePatternEngine(json, meter, note, allowance.patternStates);
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
  allowance.compile();
  const quick = make(false);
  // Finding every mistake costs more, so it waits for the first value that has one, and may be given up.
  const thorough = once(() => {
    allowance.compile();
    return make(true);
  });

  function within(steps: number, check: ValidateFunction, value: unknown): boolean {
    meter.reset(steps, allowance.checkMs);
    try {
      return check(value);
    } finally {
      allowance.spend(steps - meter.left());
    }
  }

  function findAll(value: unknown, first: readonly Complaint[]): readonly Complaint[] {
    let steps = thoroughSteps;
    try {
      const all = thorough();
      steps = Math.min(thoroughSteps, allowance.steps());
      return within(steps, all, value) ? first : (all.errors ?? first);
    } catch (error) {
      // What was given up for want of an allowance may be done elsewhere.
      if (error instanceof Overspent && (steps < thoroughSteps || !thorough.isMade())) throw error;
      return first;
    }
  }

  return (value) => (within(allowance.steps(), quick, value) ? undefined : findAll(value, quick.errors ?? []));
}

/** Equal as JSON is what has the same canonical text; comparing each item with each takes quadratic time. */
const makeUnique = (meter: Meter) => (isOn: boolean, items: readonly JsonValue[]) => {
  const seen = new Set<string>();
  return (
    !isOn ||
    items.every((item) => {
      const text = canonicalJson(item);
      meter.spend(2 + text.length);
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
      const steps = (stepsOfKeyword[keyword] ?? 0) + stepsOfParts(keyword, given);
      const spend = _`${context.gen.scopeValue("func", { ref: meter.spend })}`;
      if (looping.has(keyword) || (comparing.has(keyword) && holdsObject(given)))
        context.gen.code(_`${spend}(${steps}, ${context.data})`);
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
    : Object.values(given).reduce<number>((sum, item) => sum + literalsOf(item) + stepsOfAnyPart, stepsOfCompare);

/** Whether there is an object among the literals: to compare with it the value's own properties are counted. */
const holdsObject = (given: unknown): boolean =>
  typeof given === "object" && given !== null && (!Array.isArray(given) || given.some(holdsObject));

function stepsOfParts(keyword: string, given: unknown): number {
  if (comparing.has(keyword)) return literalsOf(given);
  const parts = typeof given === "object" && given !== null ? Object.keys(given).length : 0;
  return Math.floor(parts * (stepsOfPart[keyword] ?? stepsOfAnyPart));
}

function once<T>(make: () => T): (() => T) & { readonly isMade: () => boolean } {
  let made: { readonly value: T } | undefined;
  return Object.assign(() => (made ??= { value: make() }).value, { isMade: () => made !== undefined });
}
