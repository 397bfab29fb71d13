import type { JsonValue } from "../../src/json.ts";

/** The type that holds one value only, so that a value of it is no fresh literal. */
export function valueType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => valueType(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return scalarText(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${valueType(item)}`)
    .join("; ")} }`;
}

/** The value as a program writes it; a key such as `__proto__` must not be read as syntax. */
export function literal(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => literal(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return scalarText(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `[${JSON.stringify(key)}]: ${literal(item)}`)
    .join(", ")} }`;
}

function scalarText(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
}
