// Options are read once, at the edge: unknown names and wrong kinds are told, not ignored.
import { Fault } from "./errors.ts";
import { isObject } from "./is-object.ts";

type Kind = "text" | "texts" | "textsByName" | "flag" | "signal" | "function" | "object" | "anything";

const isText = (value: unknown): boolean => typeof value === "string";
const kinds: Record<Kind, (value: unknown) => boolean> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  textsByName: (value) => isObject(value) && Object.values(value).every(isText),
  flag: (value) => typeof value === "boolean",
  signal: (value) => value instanceof AbortSignal,
  function: (value) => typeof value === "function",
  object: isObject,
  anything: () => true,
};

const words: Record<Kind, string> = {
  text: "text",
  texts: "an array of texts",
  textsByName: "an object of texts",
  flag: "true or false",
  signal: "an AbortSignal",
  function: "a function",
  object: "an object",
  anything: "anything",
};

export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return Array.isArray(value) ? "an array" : typeof value === "object" && value !== null ? "an object" : String(value);
}

/** As `checkGiven`, where nothing need be given. */
export function checkOptions(what: string, given: unknown, known: Readonly<Record<string, Kind>>): void {
  if (given !== undefined) checkGiven(what, given, known);
}

/** Throws `invalid_options` unless `given` is an object whose names are all in `known` and whose values are of their kind; a value `undefined` is absent. */
export function checkGiven(what: string, given: unknown, known: Readonly<Record<string, Kind>>): void {
  if (!isObject(given))
    throw new Fault("invalid_options", `${what} must be an object of options, got ${describe(given)}`);
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) {
      throw new Fault("invalid_options", `${what} has no option "${name}"; there are ${Object.keys(known).join(", ")}`);
    }
    if (value !== undefined && !kinds[kind](value)) {
      throw new Fault("invalid_options", `option ${name} of ${what} must be ${words[kind]}, got ${describe(value)}`);
    }
  }
}

/** Throws `invalid_options` unless it is text with something in it. */
export function checkText(what: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new Fault("invalid_options", `${what} must be text that is not empty, got ${describe(value)}`);
  }
}
