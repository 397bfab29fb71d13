import type { JsonObject } from "../json.ts";
import { prepareNearest } from "../nearest.ts";
import { resolve } from "./describe-schema.ts";
import { childOf } from "./json-pointer.ts";

export interface UnknownKey {
  readonly key: string;
  readonly didYouMean: string;
}

const keysAtMost = 8;
const schemasAtMost = 200;
const declaredAtMost = 500;

/** Finds keys that the schema lets through without naming them, where each is nearly one that it names and that is not given: most likely misspelt. The schema is read once, at the first use. */
export function prepareUnknownKeys(schema: JsonObject): (args: object) => readonly UnknownKey[] {
  let read: { readonly declared: ReadonlySet<string> | undefined } | undefined;
  return (args) => {
    const { declared } = (read ??= { declared: declaredKeys(schema) });
    return declared === undefined ? [] : findStrays(declared, args);
  };
}

function findStrays(declared: ReadonlySet<string>, args: object): readonly UnknownKey[] {
  const strays = Object.keys(args)
    .filter((key) => !declared.has(key))
    .slice(0, keysAtMost);
  if (strays.length === 0) return [];
  const nearest = prepareNearest([...declared].filter((key) => !Object.hasOwn(args, key)));
  return strays.flatMap((key) => nearest(key, 1).map((didYouMean) => ({ key, didYouMean })));
}

/** The names in the schema and in all that sees the same value; undefined where other names are data, or where these are too many. */
function declaredKeys(schema: JsonObject): ReadonlySet<string> | undefined {
  const declared = new Set<string>();
  const seen = new Set<unknown>();
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const at = open.pop();
    const next = resolve(at, schema);
    if (next !== at) open.push(next);
    if (typeof at !== "object" || at === null || seen.has(at)) continue;
    if (seen.size >= schemasAtMost || namesData(at)) return undefined;
    seen.add(at);
    for (const key of Object.keys(fieldsOf(childOf(at, "properties")))) declared.add(key);
    for (const keyword of ["if", "then", "else"]) open.push(childOf(at, keyword));
    for (const keyword of ["allOf", "anyOf", "oneOf", "dependentSchemas"])
      open.push(...Object.values(fieldsOf(childOf(at, keyword))));
  }
  return declared.size > declaredAtMost ? undefined : declared;
}

const namesData = (schema: unknown): boolean =>
  ["patternProperties", "additionalProperties", "unevaluatedProperties"].some((keyword) => {
    return Object.keys(fieldsOf(childOf(schema, keyword))).length > 0;
  });

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};
