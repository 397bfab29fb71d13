// The walk that copies a value as JSON, in order, reading each part of it once. It can be made to stop when it has done
// its share: then each container that it was in is open, the innermost first, and whoever made the walk goes on with them.
import { JsonError, isJsonError } from "./json-error.ts";
import { hasIndex, isPlain, thrownMessage, viewItems } from "./json-kinds.ts";
import { type Frame, pathOf } from "./json-path.ts";
import * as $ from "./primordials.ts";

export interface JsonBounds {
  readonly maxDepth: number;
  /** Characters of JSON text. */
  readonly maxChars: number;
}

/** What is copied at most before the walk stops: items in all, items of one container, characters of one container's texts. */
export interface Share {
  readonly items: number;
  readonly containerItems: number;
  readonly textChars: number;
}

export type Fields = Record<string | number, unknown>;

/** A container, or a long text, that is copied in part. */
export interface Open {
  readonly frame: Frame;
  /** Of an object; an item is found by its place in `items`, or in those of an object's own by its name. */
  readonly names: readonly string[] | undefined;
  readonly isByName: boolean;
  readonly items: ArrayLike<unknown> | Fields;
  readonly length: number;
  /** The copies of the items before `at`; the last one is open itself where an inner container is. */
  readonly out: unknown[] | Fields | undefined;
  readonly text: string | undefined;
  at: number;
}

/** A walk in progress. */
export interface Walk {
  readonly bounds: JsonBounds;
  readonly share: Share;
  readonly mayStop: boolean;
  /** Items that may still be copied before the walk stops; below one it has stopped. */
  left: number;
  chars: number;
  here: Frame | undefined;
  unsafe: boolean | undefined;
  opened: Open[];
}

const boundless = 0x3fff_ffff;
export const atOnce: Share = { items: boundless, containerItems: boundless, textChars: boundless };

/** Characters that take as long as an item, and the items that count an object of a rarer kind, a property of a large object, or a level above. */
export const charsOfItem = 64;
const itemsOfRare = 128;
const itemsOfField = 3;
/** As a power of two. */
const levelsOfItem = 3;

// What a Map becomes inherits from an empty frozen object: a key such as `__proto__` is a key like any other.
const Bare = function Bare() {} as unknown as new () => Fields;
$.define(Bare, "prototype", $.freeze({ __proto__: null }), false, false);

/** Stands for the copy of a container that none was begun of. */
const none: readonly unknown[] = $.freeze([]);
const nothingOpen: Open[] = [];

export function createWalk(bounds: JsonBounds, share: Share): Walk {
  return {
    bounds,
    share,
    mayStop: share !== atOnce,
    left: share.items,
    chars: 0,
    here: undefined,
    unsafe: undefined,
    opened: nothingOpen,
  };
}

/** The copy of a value, whole if nothing is open then; throws `JsonError`, never what the value's own code throws. */
export function copyValue(walk: Walk, value: unknown): unknown {
  try {
    return convert(walk, value, undefined);
  } catch (thrown) {
    throw failure(walk, thrown);
  }
}

/** The copy of the next item of something open, likewise. */
export function copyNext(walk: Walk, open: Open): unknown {
  const { frame, names, items, at } = open;
  open.at += 1;
  frame.key = names?.[at] ?? at;
  try {
    walk.here = open.isByName ? frame.parent : frame;
    const item = (items as Fields)[open.isByName ? frame.key : at];
    walk.here = frame;
    walk.left -= names === undefined ? 1 : itemsOfField;
    if (names !== undefined && item !== undefined) walk.chars += `${frame.key}`.length + 3;
    return convert(walk, item, frame);
  } catch (thrown) {
    throw failure(walk, thrown);
  }
}

/** What is open since this was asked last, the innermost first. */
export function takeOpen(walk: Walk): readonly Open[] {
  const taken = walk.opened;
  walk.opened = nothingOpen;
  return taken;
}

/** JSON text of a copy. */
export function writeCopy(walk: Walk, copy: unknown): string {
  try {
    if ("toJSON" in $.arrayPrototype || "toJSON" in $.objectPrototype) disown(copy);
    return $.stringify(copy);
  } catch (thrown) {
    throw failure(walk, thrown);
  }
}

/** The `JsonError` for whatever was thrown. */
const failure = (walk: Walk, thrown: unknown): JsonError =>
  isJsonError(thrown) ? thrown : new JsonError(pathOf(walk.here), `cannot be read: ${thrownMessage(thrown)}`);

function refuse(frame: Frame | undefined, reason: string): never {
  throw new JsonError(pathOf(frame), reason);
}

/** Counts towards the bound, which is looked at where a container begins and ends: only containers can make a small value large. */
function count(walk: Walk, more: number): void {
  walk.chars += more;
  if (walk.chars > walk.bounds.maxChars)
    throw new JsonError("$", `is over ${walk.bounds.maxChars} characters of JSON`, "too_large");
}

function enter(walk: Walk, source: object, parent: Frame | undefined): Frame {
  const depth = parent === undefined ? 1 : parent.depth + 1;
  if (depth > walk.bounds.maxDepth) refuse(parent, `is nested more than ${walk.bounds.maxDepth} levels deep`);
  for (let at = parent; at !== undefined; at = at.parent) {
    if (at.value === source) refuse(parent, `refers back to ${pathOf(at.parent)}; JSON cannot hold a cycle`);
  }
  walk.left -= 1 + (depth >> levelsOfItem);
  walk.here = { parent, value: source, depth, key: "" };
  count(walk, 2);
  return walk.here;
}

function list(walk: Walk, length: number): unknown[] {
  walk.unsafe ??= hasIndex($.arrayPrototype) || hasIndex($.objectPrototype);
  return walk.unsafe ? $.setPrototypeOf([], null) : new Array(length);
}

function leaveOpen(walk: Walk, open: Open): void {
  if (walk.opened === nothingOpen) walk.opened = [];
  walk.opened[walk.opened.length] = open;
}

function leaveList(walk: Walk, frame: Frame, items: Open["items"], length: number, out: Open["out"], at: number): void {
  leaveOpen(walk, { frame, names: undefined, isByName: false, items, length, out, text: undefined, at });
}

function leaveFields(
  walk: Walk,
  frame: Frame,
  names: readonly string[],
  items: Open["items"],
  out: Open["out"],
  at: number,
  isByName = false,
): void {
  leaveOpen(walk, { frame, names, isByName, items, length: names.length, out, text: undefined, at });
}

/** The length of an array or a view, of which a Proxy or a property of its own may say anything. */
function lengthOf(items: ArrayLike<unknown>, parent: Frame | undefined): number {
  const length: unknown = items.length;
  if (!$.isInteger(length) || (length as number) < 0) refuse(parent, "is an array of a length that is none");
  return length as number;
}

function array(walk: Walk, items: ArrayLike<unknown>, source: object, parent: Frame | undefined): unknown {
  const frame = enter(walk, source, parent);
  const length = lengthOf(items, parent);
  count(walk, length);
  if (walk.left <= 0 || length > walk.share.containerItems) {
    leaveList(walk, frame, items, length, undefined, 0);
    walk.here = parent;
    return none;
  }
  const { textChars } = walk.share;
  const out = list(walk, length);
  let size = 0;
  let stops = false;
  for (let i = 0; i < length; i += 1) {
    frame.key = i;
    const item = items[i];
    if (typeof item === "string" && item.length <= textChars) {
      size += item.length + 1;
      stops = size > textChars;
      out[i] = item;
    } else if (typeof item === "number" && item - item === 0) {
      out[i] = item;
    } else {
      const copy = convert(walk, item, frame);
      stops = walk.opened !== nothingOpen;
      out[i] = copy === undefined ? null : copy;
    }
    if (stops) {
      leaveList(walk, frame, items, length, out, i + 1);
      break;
    }
  }
  walk.left -= length + $.floor(size / charsOfItem);
  walk.here = parent;
  count(walk, size);
  return out;
}

function object(walk: Walk, source: object, parent: Frame | undefined): unknown {
  const frame = enter(walk, source, parent);
  // What a getter throws is blamed on the object.
  walk.here = parent;
  if (walk.mayStop) {
    const all = $.keys(source);
    if (walk.left <= 0 || all.length > walk.share.containerItems) {
      leaveFields(walk, frame, all, source as Fields, undefined, 0, true);
      return none;
    }
  }
  // A native copy: plain data, each property read once.
  const out: Fields = { ...(source as Fields) };
  walk.here = frame;
  return fields(walk, frame, $.keys(out), $.values(out), out, false);
}

function map(walk: Walk, source: Map<unknown, unknown>, parent: Frame | undefined): unknown {
  const frame = enter(walk, source, parent);
  const size = $.mapSize(source);
  count(walk, size);
  const names = list(walk, size) as string[];
  const items = list(walk, size);
  let at = 0;
  $.mapForEach(source, (item, key) => {
    if (typeof key !== "string") {
      refuse(
        parent,
        `is a Map with a key of type ${typeof key}; only a Map with string keys crosses: use an array of pairs, [...map]`,
      );
    }
    names[at] = key;
    items[at] = item;
    at += 1;
  });
  if (walk.left <= 0 || size > walk.share.containerItems) {
    leaveFields(walk, frame, names, items, undefined, 0);
    walk.here = parent;
    return none;
  }
  return fields(walk, frame, names, items, new Bare(), true);
}

/** Copies the properties of an object into `out`, which holds them as they are unless it `isEmpty`. */
function fields(
  walk: Walk,
  frame: Frame,
  names: readonly string[],
  items: unknown[],
  out: Fields,
  isEmpty: boolean,
): Fields {
  const { textChars } = walk.share;
  let size = 0;
  let stops = false;
  for (let i = 0; i < items.length; i += 1) {
    const item: unknown = items[i];
    if (item === undefined) continue;
    const name = names[i] as string;
    size += name.length + 4;
    if (typeof item === "string" && item.length <= textChars) {
      size += item.length;
      stops = size > textChars;
      if (isEmpty) out[name] = item;
    } else if (isEmpty || typeof item !== "number" || item - item !== 0) {
      frame.key = name;
      const copy = convert(walk, item, frame);
      stops = walk.opened !== nothingOpen;
      if (copy !== item || (isEmpty && copy !== undefined)) out[name] = copy;
    }
    if (stops) {
      leaveFields(walk, frame, names, items, out, i + 1);
      break;
    }
  }
  walk.left -= items.length + $.floor(size / charsOfItem);
  walk.here = frame.parent;
  count(walk, size);
  return out;
}

function set(walk: Walk, source: Set<unknown>, parent: Frame | undefined): unknown {
  const size = $.setSize(source);
  if (size > walk.bounds.maxChars) count(walk, size);
  const items = list(walk, size);
  let at = 0;
  $.setForEach(source, (item) => {
    items[at] = item;
    at += 1;
  });
  return array(walk, items, source, parent);
}

function error(walk: Walk, { name, message }: Error, parent: Frame | undefined): unknown {
  const told = {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : "",
  };
  return object(walk, told, parent);
}

/** What a built-in object becomes; `undefined` where it is none of the table's. */
function builtIn(walk: Walk, source: object, parent: Frame | undefined): unknown {
  if ($.is($.mapSize, source)) return map(walk, source as Map<unknown, unknown>, parent);
  if ($.is($.setSize, source)) return set(walk, source as Set<unknown>, parent);
  if ($.is($.bufferBytes, source)) return array(walk, new $.NativeUint8Array(source as ArrayBuffer), source, parent);
  if ($.is($.stringValue, source)) return convert(walk, $.stringValue(source), parent);
  if ($.is($.numberValue, source)) return convert(walk, $.numberValue(source), parent);
  if ($.is($.booleanValue, source)) return $.booleanValue(source);
  if ($.is($.bigintValue, source)) return convert(walk, $.bigintValue(source), parent);
  return undefined;
}

function exotic(
  walk: Walk,
  source: object,
  parent: Frame | undefined,
  prototype: object | null,
  plainResult: boolean,
): unknown {
  walk.left -= itemsOfRare;
  if ($.isView(source)) return array(walk, viewItems(source), source, parent);
  const isError = $.isError(source);
  if (!isError && $.is($.dateTime, source)) {
    const time = $.dateTime(source);
    return time - time === 0 ? convert(walk, $.dateIso(source), parent) : refuse(parent, "is an invalid Date");
  }
  const probe: unknown = plainResult ? undefined : (source as Fields).toJSON;
  if (typeof probe === "function") return fromMethod(walk, source, probe as () => unknown, parent);
  const made = isError ? error(walk, source, parent) : builtIn(walk, source, parent);
  if (made !== undefined) return made;
  if (typeof (source as Fields).then === "function") {
    return refuse(parent, "is a promise; await it first (await Promise.all(list) for a list of them)");
  }
  const name = $.constructorName(prototype) ?? "class";
  return refuse(parent, `is an instance of ${name}; only plain objects and arrays cross: pick the fields you need`);
}

function fromMethod(walk: Walk, source: object, method: () => unknown, parent: Frame | undefined): unknown {
  const key = parent === undefined ? "" : `${parent.key}`;
  return convert(walk, $.apply(method as (key: string) => unknown, source, [key]), parent, true);
}

function text(walk: Walk, item: string, parent: Frame | undefined): string {
  walk.chars += item.length + 2;
  if (item.length > walk.share.textChars) {
    const frame = parent ?? { parent, value: none, depth: 0, key: "" };
    const { length } = item;
    leaveOpen(walk, {
      frame,
      names: undefined,
      isByName: false,
      items: none,
      length,
      out: undefined,
      text: item,
      at: 0,
    });
  }
  return item;
}

function convert(walk: Walk, item: unknown, parent: Frame | undefined, plainResult = false): unknown {
  switch (typeof item) {
    case "string":
      return text(walk, item, parent);
    case "number":
      if (item - item !== 0) refuse(parent, `is ${item}; JSON has no such number: use null or a string`);
      walk.chars += 1;
      return item;
    case "boolean":
      walk.chars += 4;
      return item;
    case "undefined":
      return undefined;
    case "bigint":
      return convert(walk, `${item}`, parent);
    case "function":
      return refuse(parent, "is a function; only JSON values cross: leave it out, or call it and pass what it returns");
    case "symbol":
      return refuse(parent, "is a symbol; only JSON values cross: use a string");
    case "object":
      break;
  }
  if (item === null) return null;
  if ($.isArray(item)) return array(walk, item, item, parent);
  const prototype = $.getPrototypeOf(item);
  if (!isPlain(prototype)) return exotic(walk, item, parent, prototype, plainResult);
  const probe: unknown = plainResult ? undefined : (item as Fields).toJSON;
  return typeof probe === "function"
    ? fromMethod(walk, item, probe as () => unknown, parent)
    : object(walk, item, parent);
}

/** Cuts a copy off from prototypes that carry a `toJSON`: it was heard already, and must not be heard twice. */
function disown(copy: unknown): void {
  if (typeof copy !== "object" || copy === null) return;
  $.setPrototypeOf(copy, null);
  const names = $.keys(copy);
  for (let i = 0; i < names.length; i += 1) disown((copy as Fields)[names[i] as string]);
}
