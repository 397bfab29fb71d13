// Which arguments are paths, by the declarations of a tool: `path`, `options.target`, `files[].path`, `map.*`. A text, or
// each text of an array, at such a place is a path; a key that is spelled like the whole declaration counts as well.
import { isObject } from "../is-object.ts";

/** A path among the arguments, as it was written. */
export interface FoundPath {
  readonly text: string;
  /** The keys that lead to it. */
  readonly at: readonly (string | number)[];
}

/** What stands where a path should: no text, and neither absent. */
export class NoPath extends Error {}

/** All paths that one declaration names; throws `NoPath` where something else stands there. */
export function findPaths(args: unknown, declared: string): readonly FoundPath[] {
  const found: FoundPath[] = [];
  if (isObject(args) && Object.hasOwn(args, declared)) collect(args[declared], [declared], found);
  const steps = declared.replaceAll("[]", ".*").split(".");
  if (steps.length > 1) walk(args, steps, [], found);
  return found;
}

function walk(value: unknown, steps: readonly string[], at: readonly (string | number)[], found: FoundPath[]): void {
  const [step, ...rest] = steps;
  if (step === undefined) return collect(value, at, found);
  if (step === "*") {
    const entries = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
    for (const [key, item] of entries) walk(item, rest, [...at, key], found);
  } else if (isObject(value) && Object.hasOwn(value, step)) walk(value[step], rest, [...at, step], found);
  return undefined;
}

function collect(value: unknown, at: readonly (string | number)[], found: FoundPath[]): void {
  if (value === undefined || value === null) return;
  if (typeof value === "string") found.push({ text: value, at });
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, [...at, index], found);
  else throw new NoPath(`a path must be text, and ${typeof value === "object" ? "an object" : typeof value} came`);
}

/** The places to put texts at, as a tree: what is below each key, and at a place its text. */
interface Places {
  text?: string;
  readonly below: Map<string | number, Places>;
}

/** A copy of the arguments with other texts at these places; what leads to none of them is shared. */
export function replacePaths(args: unknown, texts: ReadonlyMap<FoundPath, string>): unknown {
  const root: Places = { below: new Map() };
  for (const [{ at }, text] of texts) {
    let place = root;
    for (const key of at) {
      const next = place.below.get(key) ?? { below: new Map() };
      place.below.set(key, next);
      place = next;
    }
    place.text = text;
  }
  return put(args, root);
}

/** Each value is copied once, however many places are in it. */
function put(value: unknown, place: Places | undefined): unknown {
  if (place === undefined) return value;
  if (place.text !== undefined) return place.text;
  if (place.below.size === 0) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => put(item, place.below.get(index)));
  const entries = Object.entries(value as object).map(([key, item]) => [key, put(item, place.below.get(key))] as const);
  return Object.fromEntries(entries);
}
