// X10: a value that is too large to hand over is shown in the same JSON shape: arrays lose their tail, long texts theirs,
// objects keep their keys as long as these fit at all. The same value and bound always give the same preview. It is made
// from text to text, in the guest too, where it trusts no prototype; its time grows with the text, however deep it nests.
import { bareArray, extraBytes, outlineOf, type Outline } from "./json-outline.ts";
import { pathStep, shortPath } from "./json-path.ts";
import { bounds } from "./limits.ts";
import * as $ from "./primordials.ts";

/** What was left out at a path: items, characters or keys kept of those there were. */
export interface Dropped {
  readonly path: string;
  readonly kept: number;
  readonly of: number;
}

/** Where a value was shortened. */
export interface Shortened {
  /** The first places. */
  readonly dropped: readonly Dropped[];
  /** How many places there are beyond those. */
  readonly more?: number;
}

/** What is left out of a value that is over a bound. */
export interface Truncation extends Shortened {
  /** Bytes of the whole value as JSON. */
  readonly bytes: number;
}

export interface Preview extends Truncation {
  readonly json: string;
  readonly more: number;
}

interface Work {
  readonly json: string;
  readonly outline: Outline;
  readonly dropped: Dropped[];
  more: number;
}

/** A value in the text, and the bytes that it has. */
interface Part {
  readonly at: number;
  readonly end: number;
  readonly bytes: number;
}

interface Entry {
  readonly key: string;
  readonly value: Part;
  /** Bytes that its value needs at least, and those that it is given. */
  readonly least: number;
  share: number;
}

/** What an item must be given for its head to say something. */
const telling = 16;

/**
 * JSON text of the same shape in at most `maxBytes` bytes (at least 2), with what was dropped on the way. The text given is
 * as `toJson` writes it.
 */
export function preview(json: string, maxBytes: number): Preview {
  const work: Work = { json, outline: outlineOf(json), dropped: [], more: 0 };
  const whole = partAt(work, 0);
  const shown = shrink(work, whole, $.max(2, maxBytes), "$");
  return { json: shown, bytes: whole.bytes, dropped: work.dropped, more: work.more };
}

function partAt({ outline }: Work, at: number): Part {
  const end = outline.end(at);
  return { at, end, bytes: outline.bytes(at, end) };
}

const textOf = ({ json }: Work, { at, end }: Part): string => $.slice(json, at, end);
const canShrink = ({ json }: Work, { at }: Part): boolean => json[at] === '"' || json[at] === "[" || json[at] === "{";

function drop(work: Work, path: string, kept: number, of: number): void {
  const count = work.dropped.length;
  if (count < bounds.dropped) $.define(work.dropped, count, { path: shortPath(path), kept, of }, true);
  else work.more += 1;
}

function shrink(work: Work, part: Part, room: number, path: string): string {
  if (part.bytes <= room) return textOf(work, part);
  switch (work.json[part.at]) {
    case '"':
      return shrinkText(work, part, room, path);
    case "[":
      return shrinkList(work, part, room, path);
    case "{":
      return shrinkObject(work, part, room, path);
    default:
      // A number or a word longer than the room: only possible at the top, where two bytes always fit an empty text.
      drop(work, path, 0, 1);
      return '""';
  }
}

/** How many characters of the text stand for the one at `at`: an escape is not cut, and neither is a pair. */
function charactersAt(json: string, at: number): number {
  if (json[at] === "\\") return json[at + 1] === "u" ? 6 : 2;
  const code = $.charCodeAt(json, at);
  return code >= 0xd800 && code < 0xdc00 ? 2 : 1;
}

function shrinkText(work: Work, part: Part, room: number, path: string): string {
  const { json } = work;
  const last = part.end - 1;
  let cut = part.at + 1;
  let kept = 0;
  for (let left = room - 2; ; kept += 1) {
    const next = cut + charactersAt(json, cut);
    left -= next - cut + extraBytes(json, cut, next);
    if (left < 0) break;
    if (json[cut] !== "\\" && next === cut + 2) kept += 1;
    cut = next;
  }
  let of = kept;
  for (let at = cut; at < last; at += json[at] === "\\" ? charactersAt(json, at) : 1) of += 1;
  drop(work, path, kept, of);
  return `${$.slice(json, part.at, cut)}"`;
}

/** Whole items from the head while they fit; the first that does not is shrunk into what is left. */
function shrinkList(work: Work, part: Part, room: number, path: string): string {
  const { json, outline } = work;
  let at = part.at + 1;
  let left = room - 2;
  let kept = 0;
  for (; at < part.end; kept += 1) {
    const end = outline.end(at);
    const size = outline.bytes(at, end) + (kept === 0 ? 0 : 1);
    if (size > left) break;
    left -= size;
    at = end + 1;
  }
  const next = partAt(work, at);
  const comma = kept === 0 ? "" : ",";
  const nextRoom = left - comma.length;
  const nextPath = `${path}[${kept}]`;
  const isShown = canShrink(work, next) && nextRoom >= telling;
  const head = kept === 0 ? "" : $.slice(json, part.at + 1, at - 1);
  let of = kept;
  for (; at < part.end; at = outline.end(at) + 1) of += 1;
  if (isShown) kept += 1;
  if (kept < of) drop(work, path, kept, of);
  return `[${head}${isShown ? comma + shrink(work, next, nextRoom, nextPath) : ""}]`;
}

/** All keys where they fit, each value its fair share of the room; what a small value does not need goes to the others. */
function shrinkObject(work: Work, part: Part, room: number, path: string): string {
  const { json, outline } = work;
  const entries = bareArray<Entry>();
  // Braces are two bytes, and the first entry has no comma.
  let left = room - 1;
  let at = part.at + 1;
  for (; at < part.end;) {
    const colon = outline.end(at);
    const value = partAt(work, colon + 1);
    const least = canShrink(work, value) ? 2 : value.bytes;
    const minimum = outline.bytes(at, colon) + 2 + least;
    if (minimum > left) break;
    left -= minimum;
    entries[entries.length] = { key: $.slice(json, at, colon), value, least, share: 0 };
    at = value.end + 1;
  }
  let of = entries.length;
  for (; at < part.end; at = outline.end(outline.end(at) + 1) + 1) of += 1;
  if (entries.length < of) drop(work, path, entries.length, of);
  shareOut(entries, left);
  let shown = "";
  for (let i = 0; i < entries.length; i += 1) {
    const { key, value, share } = entries[i] as Entry;
    const step = value.bytes <= share ? "" : pathStep($.parse(key) as string);
    shown += `${i === 0 ? "" : ","}${key}:${shrink(work, value, share, path + step)}`;
  }
  return `{${shown}}`;
}

/** Gives each entry its share of what all need at least and `left` more, the smallest first. */
function shareOut(entries: readonly Entry[], left: number): void {
  const order = bareArray<Entry>();
  let reserved = 0;
  for (let i = 0; i < entries.length; i += 1) {
    const entry = entries[i] as Entry;
    order[i] = entry;
    reserved += entry.least;
  }
  let free = left + reserved;
  $.sort(order, (a, b) => a.value.bytes - b.value.bytes || (a.key < b.key ? -1 : 1));
  for (let i = 0; i < order.length; i += 1) {
    const entry = order[i] as Entry;
    // What the entries not yet served need at least is never given away.
    reserved -= entry.least;
    const fair = $.floor(free / (order.length - i));
    entry.share = $.min(entry.value.bytes, $.max(entry.least, $.min(fair, free - reserved)));
    free -= entry.share;
  }
}

/** What was left out, in one line; the first few places of many. */
export function describeDropped({ dropped, more = 0 }: Shortened): string {
  const shown = dropped.slice(0, 5).map(({ path, kept, of }) => `${path} shows ${kept} of ${of}`);
  const rest = dropped.length - shown.length + more;
  return [...shown, ...(rest > 0 ? [`${rest} more places`] : [])].join(", ");
}
