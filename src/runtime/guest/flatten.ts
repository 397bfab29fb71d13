// Anything thrown becomes data here, inside the program's limits: every text cut, every field JSON, nothing that throws again.
import { isJsonError, toJson } from "../../json.ts";
import { bounds } from "../../limits.ts";
import * as $ from "../../primordials.ts";
import { render } from "./render.ts";
import { stackText } from "./stacks.ts";

const maxCauses = 5;
/** Fields of one error that are looked at. */
const maxFields = 200;
const details = { maxDepth: 100, maxChars: 65_536 };
/** What an AggregateError and a SuppressedError hold is not enumerable, and what a program wants to see. */
const inner: readonly string[] = ["errors", "error", "suppressed"];
const known: readonly string[] = ["name", "message", "stack", "cause", "code", "hint"];

/** Name and message in one line, for a warning. */
export function describe(thrown: unknown, maxChars: number): string {
  return render(thrown, maxChars);
}

function read(value: object, key: string): unknown {
  try {
    return $.getProperty(value, key);
  } catch {
    return undefined;
  }
}

function textOf(value: object, key: string, maxChars: number): string | undefined {
  const text = read(value, key);
  return typeof text === "string" ? $.slice(text, 0, maxChars) : undefined;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return value === undefined ? undefined : toJson(value, details);
  } catch (thrown) {
    if (isJsonError(thrown)) return undefined;
    throw thrown;
  }
}

function isOneOf(names: readonly string[], name: string): boolean {
  for (let i = 0; i < names.length; i += 1) if (names[i] === name) return true;
  return false;
}

/** The fields that a program gave its error, as far as they are JSON; a numeric code is one of them. */
function fieldsOf(error: object): string | undefined {
  const names = $.ownKeys(error);
  let text = "";
  for (let i = 0; i < names.length && i < maxFields; i += 1) {
    const name = names[i];
    if (typeof name !== "string") continue;
    const value = read(error, name);
    if (isOneOf(known, name) ? name !== "code" || typeof value !== "number" : !isShown(error, name)) continue;
    const json = jsonOf(value);
    if (json === undefined || text.length + json.length > details.maxChars) continue;
    text += `${text === "" ? "" : ","}${$.stringify(name)}:${json}`;
  }
  return text === "" ? undefined : `{${text}}`;
}

function isShown(error: object, name: string): boolean {
  return isOneOf(inner, name) || $.getOwnPropertyDescriptor(error, name)?.enumerable === true;
}

function field(name: string, json: string | undefined): string {
  return json === undefined ? "" : `,"${name}":${json}`;
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : $.stringify(text);
}

function flattenError(error: Error, ToolError: object, depth: number): string {
  const name = textOf(error, "name", 100);
  const stack = guarded(() => stackText(error, bounds.stackChars));
  const cause = depth < maxCauses ? read(error, "cause") : undefined;
  // The other own fields of a ToolError are in the record already.
  const own = $.isPrototypeOf(ToolError, error) ? jsonOf(read(error, "details")) : guarded(() => fieldsOf(error));
  return (
    `{"name":${$.stringify(name === undefined || name === "" ? "Error" : name)}` +
    `,"message":${$.stringify(textOf(error, "message", bounds.messageChars) ?? "")}` +
    field("stack", stack === "" ? undefined : quoted(stack)) +
    field("code", quoted(textOf(error, "code", 200))) +
    field("hint", quoted(textOf(error, "hint", bounds.messageChars))) +
    field("details", own) +
    field("cause", cause === undefined ? undefined : flattenAt(cause, ToolError, depth + 1)) +
    "}"
  );
}

function guarded(make: () => string | undefined): string | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function flattenAt(thrown: unknown, ToolError: object, depth: number): string {
  if (
    typeof thrown === "object" &&
    thrown !== null &&
    guarded(() => ($.isError(thrown) ? "" : undefined)) !== undefined
  ) {
    return flattenError(thrown as Error, ToolError, depth);
  }
  return `{"name":"Thrown","message":${$.stringify(render(thrown, bounds.messageChars))}${field("details", jsonOf(thrown))}}`;
}

/** The JSON text of a `GuestError`; `ToolError` is the prototype of the program's own class of that name. */
export function flatten(thrown: unknown, ToolError: object): string {
  return flattenAt(thrown, ToolError, 0);
}
