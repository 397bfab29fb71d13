import { isIdentifier, pathStep } from "../json-path.ts";

const shownChars = 60;
const shownKeys = 5;
const parsedChars = 65_536;

/** What came, short: `"a"`, `5`, `null`, `an array of 3`, `an object with a, b`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quoteShort(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an empty object";
  const more = keys.length > shownKeys ? ` and ${keys.length - shownKeys} more` : "";
  return `an object with ${keys.slice(0, shownKeys).map(keyText).join(", ")}${more}`;
}

function quoteShort(text: string): string {
  if (text.length <= shownChars) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, shownChars).toWellFormed())}… (${text.length} characters)`;
}

/** Whether the text is JSON of an object or array, as models send where the value itself belongs. */
export function holdsJson(value: unknown): value is string {
  if (typeof value !== "string" || value.length > parsedChars || !/^\s*[[{]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** `$.a[0]["b c"]` of keys from the root. */
export const formatPath = (keys: readonly (string | number)[]): string => `$${keys.map(pathStep).join("")}`;

const keyText = (key: string): string => (isIdentifier(key) && key.length <= shownChars ? key : quoteShort(key));
