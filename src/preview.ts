// X10: a value that is too large to hand over is shown in the same JSON shape: arrays lose their tail, long texts theirs,
// objects keep their keys as long as these fit at all. The same value and bound always give the same preview.
import type { JsonObject, JsonValue } from "./json.ts";
import { pathStep } from "./json-path.ts";

/** What was left out at a path: items, characters or keys kept of those there were. */
export interface Dropped {
  readonly path: string;
  readonly kept: number;
  readonly of: number;
}

export interface Preview {
  readonly value: JsonValue;
  readonly dropped: readonly Dropped[];
}

const bytesOf = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const isComposite = (value: JsonValue): value is readonly JsonValue[] | JsonObject =>
  typeof value === "object" && value !== null;

/** The fewest bytes in which the shape of a value can be shown. */
function least(value: JsonValue): number {
  return typeof value === "string" || isComposite(value) ? 2 : bytesOf(value);
}

/** A value of the same shape whose JSON has at most `maxBytes` bytes (at least 2), with what was dropped on the way. */
export function preview(value: JsonValue, maxBytes: number): Preview {
  const dropped: Dropped[] = [];
  const shown = shrink(value, Math.max(2, maxBytes), "$", dropped);
  return { value: shown, dropped };
}

function shrink(value: JsonValue, room: number, path: string, dropped: Dropped[]): JsonValue {
  if (bytesOf(value) <= room) return value;
  if (typeof value === "string") return shrinkText(value, room, path, dropped);
  if (isList(value)) return shrinkList(value, room, path, dropped);
  if (isComposite(value)) return shrinkObject(value, room, path, dropped);
  // A number or a word longer than the room: only possible at the top, where two bytes always fit an empty text.
  dropped.push({ path, kept: 0, of: 1 });
  return "";
}

function shrinkText(text: string, room: number, path: string, dropped: Dropped[]): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bytesOf(text.slice(0, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  // Never half of a pair.
  if (last >= 0xd800 && last < 0xdc00) low -= 1;
  dropped.push({ path, kept: low, of: text.length });
  return text.slice(0, low);
}

/** Whole items from the head while they fit; the first that does not is shrunk into what is left. */
function shrinkList(list: readonly JsonValue[], room: number, path: string, dropped: Dropped[]): JsonValue {
  const kept: JsonValue[] = [];
  const partial: Dropped[] = [];
  let left = room - 2;
  for (const item of list) {
    const comma = kept.length === 0 ? 0 : 1;
    const size = bytesOf(item) + comma;
    if (size > left) {
      // Less than this says nothing about the item.
      const isWorthIt = (isComposite(item) || typeof item === "string") && left - comma >= 16;
      if (isWorthIt) kept.push(shrink(item, left - comma, `${path}[${kept.length}]`, partial));
      break;
    }
    kept.push(item);
    left -= size;
  }
  if (kept.length < list.length) dropped.push({ path, kept: kept.length, of: list.length });
  dropped.push(...partial);
  return kept;
}

/** All keys where they fit, each value its fair share of the room; what a small value does not need goes to the others. */
function shrinkObject(object: JsonObject, room: number, path: string, dropped: Dropped[]): JsonValue {
  const all = Object.entries(object).map(([key, value]) => ({
    key,
    value,
    cost: Buffer.byteLength(JSON.stringify(key)) + 2,
    full: bytesOf(value),
  }));
  const kept: typeof all = [];
  // Braces are two bytes, and the first entry has no comma.
  let left = room - 1;
  for (const entry of all) {
    const minimum = entry.cost + least(entry.value);
    if (minimum > left) break;
    kept.push(entry);
    left -= minimum;
  }
  if (kept.length < all.length) dropped.push({ path, kept: kept.length, of: all.length });
  // What the entries not yet served need at least is never given away.
  let reserved = kept.reduce((sum, entry) => sum + least(entry.value), 0);
  let free = left + reserved;
  const shares = new Map<string, number>();
  const smallestFirst = [...kept].sort((a, b) => a.full - b.full || (a.key < b.key ? -1 : 1));
  smallestFirst.forEach((entry, index) => {
    reserved -= least(entry.value);
    const fair = Math.floor(free / (smallestFirst.length - index));
    const share = Math.min(entry.full, Math.max(least(entry.value), Math.min(fair, free - reserved)));
    shares.set(entry.key, share);
    free -= share;
  });
  return Object.fromEntries(
    kept.map(({ key, value }) => [key, shrink(value, shares.get(key) ?? least(value), path + pathStep(key), dropped)]),
  );
}

/** What was left out, in one line; the first few places of many. */
export function describeDropped(dropped: readonly Dropped[]): string {
  const shown = dropped.slice(0, 5).map(({ path, kept, of }) => `${path} shows ${kept} of ${of}`);
  return [...shown, ...(dropped.length > 5 ? [`${dropped.length - 5} more places`] : [])].join(", ");
}
