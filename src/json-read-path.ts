// The way to a part of a JSON value, as a model writes it: `items[3].name`, `$.items[3]["a name"]` as paths are told, or a JSON
// Pointer, `/items/3/name`.
import type { JsonValue } from "./json.ts";

const step = /\.?([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** The keys on the way, outermost first, none for the whole value; `undefined` where the text is no path. */
export function readPath(path: string): readonly string[] | undefined {
  if (path.startsWith("/")) return readPointer(path);
  const keys: string[] = [];
  let at = /^\$(?=[.[]|$)/.test(path) ? 1 : 0;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return undefined;
    const [text, name, index, quoted] = match;
    // A first name has no dot before it, and a later one has.
    if (name !== undefined && text.startsWith(".") !== at > 0) return undefined;
    const key = name ?? index ?? unquote(quoted ?? "");
    if (key === undefined) return undefined;
    keys.push(key);
    at = step.lastIndex;
  }
  return keys;
}

function readPointer(path: string): readonly string[] | undefined {
  if (/~(?![01])/.test(path)) return undefined;
  return path
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

const isIndex = (key: string): boolean => /^(0|[1-9]\d*)$/.test(key);

/** What lies there; else how many keys lead to what is still there, and what that is. */
export function followPath(
  value: JsonValue,
  keys: readonly string[],
): { readonly found: JsonValue } | { readonly reached: number; readonly last: JsonValue } {
  let at = value;
  for (const [reached, key] of keys.entries()) {
    const isThere =
      typeof at === "object" && at !== null && (!Array.isArray(at) || isIndex(key)) && Object.hasOwn(at, key);
    if (!isThere) return { reached, last: at };
    at = (at as Readonly<Record<string, JsonValue>>)[key] as JsonValue;
  }
  return { found: at };
}
