// C7: what crosses a border is JSON, by one table. A walk copies the value, reading each property once, and native
// `JSON.stringify` writes the copy, in which nothing is left that runs code. The same file serves the host and the guest,
// where it trusts no prototype.
import { hasIndex, isPlain, thrownMessage, viewItems } from "./json-kinds.ts";
import { type Frame, pathOf } from "./json-path.ts";
import * as $ from "./primordials.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The table: what a value becomes when it crosses; `refused` names the path. */
export const conversions: readonly (readonly [kind: string, becomes: string])[] = [
  ["null, boolean, finite number, string", "itself"],
  ["plain object", "object of its enumerable string keys"],
  ["array", "array of its items"],
  ["undefined property", "left out"],
  ["undefined array item or hole, undefined alone", "null"],
  ["object with a toJSON method, e.g. URL", "what toJSON returns, converted"],
  ["Date", "ISO string"],
  ["Map with string keys", "object"],
  ["Set", "array"],
  ["typed array", "array of numbers (of strings for the BigInt kinds)"],
  ["ArrayBuffer, DataView", "array of its bytes"],
  ["BigInt", "string of its digits"],
  ["Error", "object with name and message"],
  ["Boolean, Number, String object", "its primitive"],
  ["function, symbol", "refused"],
  ["promise", "refused: await it"],
  ["cycle, or nesting beyond the bound", "refused"],
  ["NaN, Infinity", "refused"],
  ["invalid Date", "refused"],
  ["Map with other keys", "refused"],
  ["instance of any other class", "refused"],
];

export interface JsonBounds {
  readonly maxDepth: number;
  /** Characters of JSON text. */
  readonly maxChars: number;
}

/** Why a value cannot cross; the message names the path. */
export class JsonError extends Error {
  override readonly name: string = "JsonError";
  readonly path: string;
  readonly reason: string;
  readonly kind: "not_json" | "too_large";

  constructor(path: string, reason: string, kind: "not_json" | "too_large" = "not_json") {
    super(`${path} ${reason}`);
    this.path = path;
    this.reason = reason;
    this.kind = kind;
  }
}

/** As `instanceof`, which would ask the `Error` of a guest. */
export function isJsonError(thrown: unknown): thrown is JsonError {
  return typeof thrown === "object" && thrown !== null && $.isPrototypeOf(JsonError.prototype, thrown);
}

type Fields = Record<string | number, unknown>;

// What a Map becomes inherits from an empty frozen object: a key such as `__proto__` is a key like any other.
const Bare = function Bare() {} as unknown as new () => Fields;
$.define(Bare, "prototype", $.freeze({ __proto__: null }), false, false);

/** The JSON text of a value by the table `conversions`; throws `JsonError`, never what the value's own code throws. */
export function toJson(value: unknown, bounds: JsonBounds): string {
  let chars = 0;
  let here: Frame | undefined;
  let unsafe: boolean | undefined;

  function refuse(frame: Frame | undefined, reason: string): never {
    throw new JsonError(pathOf(frame), reason);
  }

  /** Counts towards the bound, which is looked at where a container begins: only containers can make a small value large. */
  function check(): void {
    if (chars > bounds.maxChars) throw new JsonError("$", `is over ${bounds.maxChars} characters of JSON`, "too_large");
  }

  function enter(source: object, parent: Frame | undefined): Frame {
    const depth = parent === undefined ? 1 : parent.depth + 1;
    if (depth > bounds.maxDepth) refuse(parent, `is nested more than ${bounds.maxDepth} levels deep`);
    for (let at = parent; at !== undefined; at = at.parent) {
      if (at.value === source) refuse(parent, `refers back to ${pathOf(at.parent)}; JSON cannot hold a cycle`);
    }
    here = { parent, value: source, depth, key: "" };
    chars += 2;
    check();
    return here;
  }

  function list(length: number): unknown[] {
    chars += length;
    check();
    unsafe ??= hasIndex($.arrayPrototype) || hasIndex($.objectPrototype);
    return unsafe ? $.setPrototypeOf([], null) : new Array(length);
  }

  function array(items: ArrayLike<unknown>, source: object, parent: Frame | undefined): unknown[] {
    const frame = enter(source, parent);
    const length = items.length;
    const out = list(length);
    let size = 0;
    for (let i = 0; i < length; i += 1) {
      frame.key = i;
      const item = items[i];
      if (typeof item === "string") {
        size += item.length + 1;
        out[i] = item;
      } else if (typeof item === "number" && item - item === 0) {
        out[i] = item;
      } else {
        const copy = convert(item, frame);
        out[i] = copy === undefined ? null : copy;
      }
    }
    chars += size;
    here = parent;
    return out;
  }

  function object(source: object, parent: Frame | undefined): Fields {
    const frame = enter(source, parent);
    // A native copy: plain data, each property read once. What a getter throws is blamed on the object.
    here = parent;
    const out: Fields = { ...(source as Fields) };
    here = frame;
    const names = $.keys(out);
    const items = $.values(out);
    let size = 0;
    for (let i = 0; i < items.length; i += 1) {
      const item: unknown = items[i];
      if (item === undefined) continue;
      const name = names[i] as string;
      size += name.length + 4;
      if (typeof item === "string") {
        size += item.length;
      } else if (typeof item !== "number" || item - item !== 0) {
        frame.key = name;
        const copy = convert(item, frame);
        if (copy !== item) out[name] = copy;
      }
    }
    chars += size;
    here = parent;
    return out;
  }

  function map(source: Map<unknown, unknown>, parent: Frame | undefined): Fields {
    const frame = enter(source, parent);
    const out = new Bare();
    $.mapForEach(source, (item, key) => {
      if (typeof key !== "string") {
        refuse(
          parent,
          `is a Map with a key of type ${typeof key}; only a Map with string keys crosses: use an array of pairs, [...map]`,
        );
      }
      frame.key = key;
      const copy = convert(item, frame);
      if (copy === undefined) return;
      chars += key.length + 3;
      out[key] = copy;
    });
    here = parent;
    return out;
  }

  function set(source: Set<unknown>, parent: Frame | undefined): unknown[] {
    const frame = enter(source, parent);
    const out = list($.setSize(source));
    let at = 0;
    $.setForEach(source, (item) => {
      frame.key = at;
      const copy = convert(item, frame);
      out[at] = copy === undefined ? null : copy;
      at += 1;
    });
    here = parent;
    return out;
  }

  /** What a built-in object becomes; `undefined` where it is none of the table's. */
  function builtIn(source: object, parent: Frame | undefined): unknown {
    if ($.is($.mapSize, source)) return map(source as Map<unknown, unknown>, parent);
    if ($.is($.setSize, source)) return set(source as Set<unknown>, parent);
    if ($.is($.bufferBytes, source)) return array(new $.NativeUint8Array(source as ArrayBuffer), source, parent);
    if ($.is($.stringValue, source)) return convert($.stringValue(source), parent);
    if ($.is($.numberValue, source)) return convert($.numberValue(source), parent);
    if ($.is($.booleanValue, source)) return $.booleanValue(source);
    if ($.is($.bigintValue, source)) return convert($.bigintValue(source), parent);
    if ($.isError(source)) {
      const { name, message } = source;
      return object(
        { name: typeof name === "string" ? name : "Error", message: typeof message === "string" ? message : "" },
        parent,
      );
    }
    return undefined;
  }

  function exotic(source: object, parent: Frame | undefined, prototype: object | null, plainResult: boolean): unknown {
    if ($.isView(source)) return array(viewItems(source), source, parent);
    if ($.is($.dateTime, source)) {
      const time = $.dateTime(source);
      return time - time === 0 ? convert($.dateIso(source), parent) : refuse(parent, "is an invalid Date");
    }
    const probe: unknown = plainResult ? undefined : (source as Fields).toJSON;
    if (typeof probe === "function") return fromMethod(source, probe as () => unknown, parent);
    const made = builtIn(source, parent);
    if (made !== undefined) return made;
    if (typeof (source as Fields).then === "function") {
      return refuse(parent, "is a promise; await it first (await Promise.all(list) for a list of them)");
    }
    const name = $.constructorName(prototype) ?? "class";
    return refuse(parent, `is an instance of ${name}; only plain objects and arrays cross: pick the fields you need`);
  }

  function fromMethod(source: object, method: () => unknown, parent: Frame | undefined): unknown {
    const key = parent === undefined ? "" : `${parent.key}`;
    return convert($.apply(method as (key: string) => unknown, source, [key]), parent, true);
  }

  function convert(item: unknown, parent: Frame | undefined, plainResult = false): unknown {
    switch (typeof item) {
      case "string":
        chars += item.length + 2;
        return item;
      case "number":
        if (item - item !== 0) refuse(parent, `is ${item}; JSON has no such number: use null or a string`);
        chars += 1;
        return item;
      case "boolean":
        chars += 4;
        return item;
      case "undefined":
        return undefined;
      case "bigint":
        return convert(`${item}`, parent);
      case "function":
        return refuse(
          parent,
          "is a function; only JSON values cross: leave it out, or call it and pass what it returns",
        );
      case "symbol":
        return refuse(parent, "is a symbol; only JSON values cross: use a string");
      case "object":
        break;
    }
    if (item === null) return null;
    if ($.isArray(item)) return array(item, item, parent);
    const prototype = $.getPrototypeOf(item);
    if (!isPlain(prototype)) return exotic(item, parent, prototype, plainResult);
    const probe: unknown = plainResult ? undefined : (item as Fields).toJSON;
    return typeof probe === "function" ? fromMethod(item, probe as () => unknown, parent) : object(item, parent);
  }

  let text: string;
  try {
    const copy = convert(value, undefined);
    if ("toJSON" in $.arrayPrototype || "toJSON" in $.objectPrototype) disown(copy);
    text = copy === undefined ? "null" : $.stringify(copy);
  } catch (thrown) {
    if (isJsonError(thrown)) throw thrown;
    throw new JsonError(pathOf(here), `cannot be read: ${thrownMessage(thrown)}`);
  }
  if (text.length > bounds.maxChars) {
    throw new JsonError("$", `is over ${bounds.maxChars} characters of JSON (${text.length})`, "too_large");
  }
  return text;
}

/** Cuts a copy off from prototypes that carry a `toJSON`: it was heard already, and must not be heard twice. */
function disown(copy: unknown): void {
  if (typeof copy !== "object" || copy === null) return;
  $.setPrototypeOf(copy, null);
  const names = $.keys(copy);
  for (let i = 0; i < names.length; i += 1) disown((copy as Fields)[names[i] as string]);
}

/** JSON text with the keys of every object in code unit order: equal values give equal text. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return $.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(",")}]`;
  const fields = value as JsonObject;
  const parts = Object.keys(fields)
    .sort()
    .map((key) => `${$.stringify(key)}:${canonicalJson(fields[key] as JsonValue)}`);
  return `{${parts.join(",")}}`;
}

/** Parses JSON text; a key `__proto__` is an own key, never a prototype. */
export function parseJson(text: string): JsonValue {
  return $.parse(text) as JsonValue;
}
