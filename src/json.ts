// C7: what crosses a border is JSON, by one table. A walk copies the value, reading each property once, and native
// `JSON.stringify` writes the copy, in which nothing is left that runs code. The same file serves the host and the guest,
// where it trusts no prototype.
import { JsonError } from "./json-error.ts";
import { parseText } from "./json-parse.ts";
import { atOnce, copyValue, createWalk, type JsonBounds, writeCopy } from "./json-walk.ts";
import * as $ from "./primordials.ts";

export { isJsonError, JsonError } from "./json-error.ts";
export type { JsonBounds } from "./json-walk.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The table: what a value becomes when it crosses; `refused` names the path. */
export const conversions: readonly (readonly [kind: string, becomes: string])[] = [
  ["null, boolean, finite number, string", "itself"],
  ["plain object", "object of its enumerable string keys"],
  ["array", "array of its items"],
  ["undefined property", "left out"],
  ["undefined array item or hole, undefined alone", "null"],
  ["object with a toJSON method, e.g. URL", "what toJSON returns, converted"],
  ["Date", "ISO string"],
  ["Map with string keys", "object"],
  ["Set", "array"],
  ["typed array", "array of numbers (of strings for the BigInt kinds)"],
  ["ArrayBuffer, DataView", "array of its bytes"],
  ["BigInt", "string of its digits"],
  ["Error", "object with name and message"],
  ["Boolean, Number, String object", "its primitive"],
  ["function, symbol", "refused"],
  ["promise", "refused: await it"],
  ["cycle, or nesting beyond the bound", "refused"],
  ["NaN, Infinity", "refused"],
  ["invalid Date", "refused"],
  ["Map with other keys", "refused"],
  ["instance of any other class", "refused"],
];

/** The JSON text of a value by the table `conversions`; throws `JsonError`, never what the value's own code throws. */
export function toJson(value: unknown, bounds: JsonBounds): string {
  const walk = createWalk(bounds, atOnce);
  const copy = copyValue(walk, value);
  return checkLength(copy === undefined ? "null" : writeCopy(walk, copy), bounds);
}

/** The same text; throws `JsonError` where it is too long. */
export function checkLength(text: string, { maxChars }: JsonBounds): string {
  if (text.length <= maxChars) return text;
  throw new JsonError("$", `is over ${maxChars} characters of JSON (${text.length})`, "too_large");
}

/** JSON text with the keys of every object in code unit order: equal values give equal text. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return $.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(",")}]`;
  const fields = value as JsonObject;
  const parts = Object.keys(fields)
    .sort()
    .map((key) => `${$.stringify(key)}:${canonicalJson(fields[key] as JsonValue)}`);
  return `{${parts.join(",")}}`;
}

/** Parses JSON text; a key `__proto__` is an own key, never a prototype. */
export function parseJson(text: string): JsonValue {
  return parseText(text) as JsonValue;
}
