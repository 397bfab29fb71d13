import type { JsonValue } from "../json.ts";
import { isIdentifier } from "../json-path.ts";

// Line ends, control and direction marks, lone surrogates and backticks never stand raw in a literal:
// the text must survive a Markdown fence, a template string and any editor.
const risky = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff`]/g;

/** A TypeScript string literal of exactly this string. */
function stringText(value: string): string {
  return JSON.stringify(value).replace(risky, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A property's name in a type. */
export function keyText(name: string): string {
  return isIdentifier(name) ? name : stringText(name);
}

/** A method's name in a type, where a bare `new` would declare a constructor. */
export function methodText(name: string): string {
  return name === "new" ? '"new"' : keyText(name);
}

/** The type that holds this JSON value only; equal values give equal text. */
export function literalText(value: JsonValue): string {
  if (typeof value === "string") return stringText(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => literalText(item)).join(", ")}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = entries.map(([name, item]) => `${keyText(name)}: ${literalText(item)}`);
  return fields.length === 0 ? "Record<string, never>" : `{ ${fields.join("; ")} }`;
}

/** A property's name in an object literal, where a bare `__proto__` would set the prototype. */
const ownKeyText = (name: string): string => (name === "__proto__" ? '["__proto__"]' : keyText(name));

/** A JSON value as a program writes it. */
export function valueText(value: JsonValue): string {
  if (typeof value === "string") return stringText(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => valueText(item)).join(", ")}]`;
  const entries = Object.entries(value).map(([name, item]) => `${ownKeyText(name)}: ${valueText(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
