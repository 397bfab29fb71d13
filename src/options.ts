// Options are read once, at the edge: unknown names and wrong kinds are told, not ignored.
import { Fault } from "./errors.ts";

type Kind = "text" | "signal" | "function" | "object" | "anything";

const kinds: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === "string",
  signal: (value) => value instanceof AbortSignal,
  function: (value) => typeof value === "function",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  anything: () => true,
};

const words: Record<Kind, string> = {
  text: "text",
  signal: "an AbortSignal",
  function: "a function",
  object: "an object",
  anything: "anything",
};

export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return Array.isArray(value) ? "an array" : typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Throws `invalid_options` unless `given` is an object whose names are all in `known` and whose values are of their kind; `undefined` is absent. */
export function checkOptions(what: string, given: unknown, known: Readonly<Record<string, Kind>>): void {
  if (given === undefined) return;
  if (!kinds.object(given))
    throw new Fault("invalid_options", `${what} must be an object of options, got ${describe(given)}`);
  for (const [name, value] of Object.entries(given as object)) {
    const kind = known[name];
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
