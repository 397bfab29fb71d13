import { Fault } from "../errors.ts";
import { limitTable } from "../limits.ts";
import { nearest } from "../nearest.ts";
import { type AnyTool, effectNames, type ToolDefinition } from "./tool.ts";

/** Says what a field must be where it is something else. */
type Rule = (value: unknown) => string | undefined;

const rule =
  (test: (value: unknown) => boolean, wanted: string): Rule =>
  (value) =>
    test(value) ? undefined : wanted;

const nameChars = 200;
const isText = (value: unknown): boolean => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isSubset = (value: unknown, of: readonly string[]): boolean =>
  isTexts(value) && (value as string[]).every((one, index, all) => of.includes(one) && all.indexOf(one) === index);
const flag = rule((value) => typeof value === "boolean", "true or false");
const schema = rule(
  (value) => value === null || (typeof value === "object" && !Array.isArray(value)) || isFunction(value),
  "a schema or null",
);

const required: Readonly<Record<string, Rule>> = {
  name: (value) => (typeof value === "string" ? badName(value) : "text"),
  description: rule(isText, "text"),
  execute: rule(isFunction, "a function"),
};

const optional: Readonly<Record<string, Rule>> = {
  inputSchema: schema,
  outputSchema: schema,
  effects: rule(
    (value) => isSubset(value, effectNames),
    'an array of "read", "write" and "external", each at most once',
  ),
  parallelSafe: rule((value) => typeof value === "boolean" || isFunction(value), "true, false or a function"),
  validate: rule(isFunction, "a function"),
  paths: rule(isPaths, "{ read?, write? }, each an array of argument names"),
  keywords: rule(isTexts, "an array of texts"),
  callers: rule(
    (value) => isSubset(value, ["direct", "code"]) && (value as []).length > 0,
    '["direct"], ["code"] or both',
  ),
  gated: flag,
  enabled: flag,
  requiresApproval: flag,
  idempotent: flag,
  timeoutMs: rule(isTimeout, `an integer from ${limitTable.callMs.min} to ${limitTable.callMs.max}`),
};

const rules: ReadonlyMap<string, Rule> = new Map(Object.entries({ ...required, ...optional }));

/** Checks a definition and types `execute` by its input schema; throws `invalid_tool` naming tool and field. */
export function defineTool<A = Record<string, unknown>>(definition: ToolDefinition<A>): ToolDefinition<A> {
  return checkDefinition(definition);
}

/** A frozen copy of the known fields; throws `invalid_tool` for one that is missing, wrong (schemas apart, if so asked) or unknown. */
export function checkDefinition<T extends AnyTool>(
  definition: T,
  { anySchema = false }: { readonly anySchema?: boolean } = {},
): T {
  if (typeof definition !== "object" || definition === null)
    throw new Fault("invalid_tool", `a tool definition must be an object, got ${String(definition)}`);
  const called =
    typeof definition.name === "string" && definition.name !== ""
      ? JSON.stringify(definition.name.slice(0, nameChars))
      : "without a name";
  const stray = Object.keys(definition).find((field) => !rules.has(field));
  if (stray !== undefined) {
    const near = nearest(stray, [...rules.keys()], 1)[0];
    const hint = near === undefined ? `the fields are ${[...rules.keys()].join(", ")}` : `did you mean ${near}?`;
    throw new Fault("invalid_tool", `tool ${called} has an unknown field ${JSON.stringify(stray)}`, {
      hint,
      details: { field: stray },
    });
  }
  const copy: Record<string, unknown> = {};
  for (const [field, check] of rules) {
    const value: unknown = definition[field as keyof T];
    if (value === undefined && !Object.hasOwn(required, field)) continue;
    const wanted = anySchema && check === schema ? undefined : check(value);
    if (wanted !== undefined)
      throw new Fault("invalid_tool", `tool ${called}: ${field} must be ${wanted}`, { details: { field } });
    copy[field] = Array.isArray(value) ? Object.freeze([...(value as unknown[])]) : value;
  }
  return Object.freeze(copy) as T;
}

/** Why a name cannot be a tool's. */
export function badName(name: string): string | undefined {
  if (name === "" || name.length > nameChars) return `1 to ${nameChars} characters long`;
  if (/\p{Cc}/u.test(name)) return "without line breaks and other control characters";
  return name.isWellFormed() ? undefined : "well-formed Unicode, without half a surrogate pair";
}

function isPaths(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(([key, names]) => ["read", "write"].includes(key) && isTexts(names))
  );
}

function isTimeout(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= limitTable.callMs.min && (value as number) <= limitTable.callMs.max
  );
}
