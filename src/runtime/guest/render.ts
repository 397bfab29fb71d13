// How console shows a value: JSON data exactly as JSON, all else in a short form of its own. Never throws, never runs past
// its bound: what does not fit is left out.
import * as $ from "../../primordials.ts";

const maxDepth = 100;

interface Sink {
  text: string;
  readonly maxChars: number;
}

interface Level {
  readonly parent: Level | undefined;
  readonly value: object;
  readonly depth: number;
}

const isFull = (sink: Sink): boolean => sink.text.length >= sink.maxChars;

/** The text of a value, at most about `maxChars` long; a string stands for itself. */
export function render(value: unknown, maxChars: number): string {
  if (typeof value === "string") return $.slice(value, 0, maxChars);
  const sink = { text: "", maxChars };
  try {
    if (typeof value === "object" && value !== null && $.is($.dateTime, value)) sink.text = dateText(value);
    else show(sink, value, undefined);
  } catch {
    sink.text = "[unreadable]";
  }
  return $.slice(sink.text, 0, maxChars);
}

function dateText(value: object): string {
  const time = $.dateTime(value);
  return time - time === 0 ? $.dateIso(value) : "Invalid Date";
}

function show(sink: Sink, value: unknown, parent: Level | undefined): void {
  switch (typeof value) {
    case "string":
      sink.text += $.stringify(value.length > sink.maxChars ? $.slice(value, 0, sink.maxChars) : value);
      return;
    case "bigint":
      sink.text += `${value}n`;
      return;
    case "symbol":
      sink.text += $.symbolText(value);
      return;
    case "function": {
      const name: unknown = $.getOwnPropertyDescriptor(value, "name")?.value;
      sink.text += typeof name === "string" && name !== "" ? `[Function: ${$.slice(name, 0, 100)}]` : "[Function]";
      return;
    }
    case "object":
      if (value === null) sink.text += "null";
      else showObject(sink, value, parent);
      return;
    case "number":
    case "boolean":
    case "undefined":
      sink.text += `${value}`;
  }
}

function showObject(sink: Sink, value: object, parent: Level | undefined): void {
  for (let at = parent; at !== undefined; at = at.parent) {
    if (at.value === value) {
      sink.text += "[Circular]";
      return;
    }
  }
  const depth = parent === undefined ? 0 : parent.depth + 1;
  if (depth >= maxDepth) {
    sink.text += $.isArray(value) ? "[Array]" : "[Object]";
    return;
  }
  const level = { parent, value, depth };
  if ($.isArray(value)) showItems(sink, value, value.length, level);
  else if (!showBuiltIn(sink, value, level)) showFields(sink, value, level);
}

function showItems(sink: Sink, items: ArrayLike<unknown>, length: number, level: Level): void {
  sink.text += "[";
  for (let i = 0; i < length && !isFull(sink); i += 1) {
    if (i > 0) sink.text += ",";
    showRead(sink, items, i, level);
  }
  sink.text += "]";
}

/** One property: where it cannot be read or shown, that is said in its place. */
function showRead(sink: Sink, object: object, key: PropertyKey, level: Level): void {
  const before = sink.text;
  try {
    show(sink, $.getProperty(object, key), level);
  } catch {
    sink.text = `${before}[unreadable]`;
  }
}

function showFields(sink: Sink, value: object, level: Level): void {
  const prototype = $.getPrototypeOf(value);
  if (prototype !== null && prototype !== $.objectPrototype) {
    const toJson: unknown = $.getProperty(value, "toJSON");
    if (typeof toJson === "function") {
      show(sink, $.apply(toJson as () => unknown, value, []), level);
      return;
    }
    const name = $.constructorName(prototype);
    if (name !== undefined && name !== "Object") sink.text += `${name} `;
  }
  sink.text += "{";
  const names = $.keys(value);
  for (let i = 0; i < names.length && !isFull(sink); i += 1) {
    const name = names[i] as string;
    sink.text += `${i > 0 ? "," : ""}${$.stringify(name)}:`;
    showRead(sink, value, name, level);
  }
  sink.text += "}";
}

function showBuiltIn(sink: Sink, value: object, level: Level): boolean {
  const prototype = $.getPrototypeOf(value);
  // The common case first: nothing of what follows is a plain object.
  if (prototype === $.objectPrototype || prototype === null) return false;
  const typed = $.typedName(value);
  if (typed !== undefined) {
    const length = $.typedLength(value);
    sink.text += `${typed}(${length}) `;
    showItems(sink, value as Uint8Array, length, level);
  } else if ($.is($.dateTime, value)) {
    sink.text += $.stringify(dateText(value));
  } else if ($.isError(value)) {
    sink.text += errorText(value);
  } else if ($.is($.mapSize, value)) {
    showMap(sink, value as Map<unknown, unknown>, level);
  } else if ($.is($.setSize, value)) {
    showSet(sink, value as Set<unknown>, level);
  } else if ($.is($.bufferBytes, value)) {
    sink.text += `ArrayBuffer(${$.bufferBytes(value)})`;
  } else if ($.isPrototypeOf(RegExp.prototype, value)) {
    sink.text += $.regExpText(value);
  } else if ($.isPrototypeOf($.NativePromise.prototype, value)) {
    sink.text += "Promise {}";
  } else if ($.is($.stringValue, value)) {
    show(sink, $.stringValue(value), level);
  } else if ($.is($.numberValue, value)) {
    show(sink, $.numberValue(value), level);
  } else if ($.is($.booleanValue, value)) {
    show(sink, $.booleanValue(value), level);
  } else {
    return false;
  }
  return true;
}

function errorText(error: Error): string {
  const { name, message } = error;
  const title = typeof name === "string" && name !== "" ? name : "Error";
  return typeof message === "string" && message !== "" ? `${title}: ${message}` : title;
}

function showMap(sink: Sink, map: Map<unknown, unknown>, level: Level): void {
  sink.text += `Map(${$.mapSize(map)}) {`;
  let first = true;
  $.mapForEach(map, (value, key) => {
    if (isFull(sink)) return;
    if (!first) sink.text += ", ";
    first = false;
    show(sink, key, level);
    sink.text += " => ";
    show(sink, value, level);
  });
  sink.text += "}";
}

function showSet(sink: Sink, set: Set<unknown>, level: Level): void {
  sink.text += `Set(${$.setSize(set)}) {`;
  let first = true;
  $.setForEach(set, (value) => {
    if (isFull(sink)) return;
    if (!first) sink.text += ", ";
    first = false;
    show(sink, value, level);
  });
  sink.text += "}";
}
