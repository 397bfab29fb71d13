import * as $ from "../../primordials.ts";
import { DOMException } from "./dom-exception.ts";
import { cutStack } from "./stacks.ts";

type Seen = Map<object, object>;

function refuse(what: string): never {
  throw cutStack(new DOMException(`${what} could not be cloned`, "DataCloneError"), structuredClone);
}

const errorTypes: readonly ErrorConstructor[] = [
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
];

function cloneBuffer(buffer: ArrayBuffer): ArrayBuffer {
  const from = new $.NativeUint8Array(buffer);
  const length = $.typedLength(from);
  const to = new $.NativeUint8Array(length);
  for (let i = 0; i < length; i += 1) to[i] = from[i] as number;
  return $.typedBuffer(to);
}

function cloneView(view: object, seen: Seen): object {
  const isData = $.typedName(view) === undefined;
  const source = isData ? $.viewBuffer(view) : $.typedBuffer(view);
  const buffer = clone(source, seen);
  const offset = isData ? $.viewOffset(view) : $.typedOffset(view);
  const length = isData ? $.viewBytes(view) : $.typedLength(view);
  const name = isData ? "DataView" : ($.typedName(view) as string);
  const Type = $.getProperty(globalThis, name) as new (buffer: unknown, offset: number, length: number) => object;
  return new Type(buffer, offset, length);
}

function cloneError(error: Error, seen: Seen): object {
  const Type = errorTypes.find((type) => type.name === error.name) ?? $.NativeError;
  const made = new Type(error.message);
  $.mapSet(seen, error, made);
  $.define(made, "stack", error.stack);
  if ($.hasOwn(error, "cause")) $.define(made, "cause", clone(error.cause, seen));
  return made;
}

function cloneFields(from: object, to: object, seen: Seen): object {
  $.mapSet(seen, from, to);
  const names = $.keys(from);
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string;
    $.define(to, name, clone($.getProperty(from, name), seen), true);
  }
  return to;
}

/** A copy of a built-in object; `undefined` for one that is copied by its fields. */
function cloneBuiltIn(value: object, seen: Seen): object | undefined {
  if ($.isView(value)) return cloneView(value, seen);
  if ($.is($.bufferBytes, value)) return cloneBuffer(value as ArrayBuffer);
  if ($.is($.dateTime, value)) return new Date($.dateTime(value));
  if ($.is($.stringValue, value)) return new String($.stringValue(value));
  if ($.is($.numberValue, value)) return new Number($.numberValue(value));
  if ($.is($.booleanValue, value)) return new Boolean($.booleanValue(value));
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if ($.is($.mapSize, value)) {
    const made = new $.NativeMap<unknown, unknown>();
    $.mapSet(seen, value, made);
    $.mapForEach(value as Map<unknown, unknown>, (item, key) => $.mapSet(made, clone(key, seen), clone(item, seen)));
    return made;
  }
  if ($.is($.setSize, value)) {
    const made = new Set<unknown>();
    $.mapSet(seen, value, made);
    $.setForEach(value as Set<unknown>, (item) => made.add(clone(item, seen)));
    return made;
  }
  if ($.isError(value)) return cloneError(value, seen);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
    return refuse(`#<${$.constructorName($.getPrototypeOf(value)) ?? "Object"}>`);
  }
  return undefined;
}

function clone(value: unknown, seen: Seen): unknown {
  if (typeof value === "function") return refuse($.slice($.functionText(value), 0, 100));
  if (typeof value === "symbol") return refuse($.symbolText(value));
  if (typeof value !== "object" || value === null) return value;
  const known = $.mapGet(seen, value);
  if (known !== undefined) return known;
  if ($.isArray(value)) return cloneFields(value, new Array(value.length), seen);
  const prototype = $.getPrototypeOf(value);
  // The common case first: nothing that is built in is a plain object.
  const isPlain = prototype === $.objectPrototype || prototype === null;
  const made = isPlain ? undefined : cloneBuiltIn(value, seen);
  if (made === undefined) return cloneFields(value, {}, seen);
  $.mapSet(seen, value, made);
  return made;
}

/** A deep copy of data; nothing is moved, so a list of what to transfer changes nothing. */
export function structuredClone(value?: unknown): unknown {
  return clone(value, new $.NativeMap());
}
