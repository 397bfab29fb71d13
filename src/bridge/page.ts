// A part of what a reference stands for, small enough to travel.
import { ToolError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { followPath, readPath } from "../json-read-path.ts";
import { pathStep } from "../json-path.ts";

/** `offset` and `limit` count items, entries of an object, UTF-16 units of a text, or bytes. */
export interface PageOptions {
  readonly path?: string;
  readonly offset?: number;
  readonly limit?: number;
}

const shownKeys = 10;
const pathChars = 200;

/** Throws `path_not_found`, or `arguments_invalid` for a path that is none or a page of what has no parts. Bytes come as base64 text. */
export function pageOf(whole: JsonValue | Uint8Array, { path = "", offset, limit }: PageOptions): JsonValue {
  const value = whole instanceof Uint8Array ? bytesAt(whole, path) : partAt(whole, path);
  const end = limit === undefined ? undefined : (offset ?? 0) + limit;
  if (value instanceof Uint8Array) return Buffer.from(value.subarray(offset, end)).toString("base64");
  if (offset === undefined && limit === undefined) return value;
  if (typeof value === "string" || isList(value)) return value.slice(offset, end);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries<JsonValue>(Object.entries(value).slice(offset, end));
  const message = `offset and limit page through arrays, texts and objects; there is ${describe(value)}`;
  throw new ToolError(message, { code: "arguments_invalid", hint: "leave them out" });
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

function bytesAt(bytes: Uint8Array, path: string): Uint8Array {
  if (path === "" || path === "$") return bytes;
  const message = "what the reference stands for are bytes, in which there are no paths";
  throw new ToolError(message, { code: "path_not_found", hint: "leave path out; offset and limit count bytes" });
}

function partAt(value: JsonValue, path: string): JsonValue {
  const keys = readPath(path);
  if (keys === undefined) {
    throw new ToolError(`${JSON.stringify(path.slice(0, pathChars))} is no path`, {
      code: "arguments_invalid",
      hint: "write items[3].name, or /items/3/name",
    });
  }
  const followed = followPath(value, keys);
  if ("found" in followed) return followed.found;
  const { reached, last } = followed;
  const place = keys.slice(0, reached).reduce((before, key) => before + pathStep(key), "$");
  const message = `there is no ${JSON.stringify((keys[reached] ?? "").slice(0, pathChars))} at ${place.slice(0, pathChars)}: there is ${describe(last)}`;
  throw new ToolError(message, { code: "path_not_found" });
}

function describe(value: JsonValue): string {
  if (isList(value)) return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`;
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : `a ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an object without keys";
  const shown = keys.slice(0, shownKeys).map((key) => JSON.stringify(key.slice(0, pathChars / 4)));
  return `an object with ${shown.join(", ")}${keys.length > shownKeys ? `, … (${keys.length} keys)` : ""}`;
}
