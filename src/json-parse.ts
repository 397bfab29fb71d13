// JSON.parse of V8 13.6 (Node 24) sometimes takes a key that is written with an escape for another one that it knows from an
// earlier text: after `{"a":1,"\\n":2}` it reads the key of `{"a":1,"\nq":2}` as `\n`. Texts with such keys are read here.
import * as $ from "./primordials.ts";

/** What `JSON.parse` gives, with every key as it is written; throws its `SyntaxError`. */
export function parseText(text: string): unknown {
  const value: unknown = $.parse(text);
  return hasEscapedKey(text) ? readAgain(text) : value;
}

const backslash = 0x5c;
const quote = 0x22;
const colon = 0x3a;

/** Of valid JSON, in which every backslash stands in a string. */
function hasEscapedKey(text: string): boolean {
  let at = $.indexOf(text, "\\");
  while (at >= 0) {
    const end = skipString(text, at);
    if ($.charCodeAt(text, skipSpace(text, end)) === colon) return true;
    at = $.indexOf(text, "\\", end);
  }
  return false;
}

/** The place behind the closing quote, from a place inside a string. */
function skipString(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = $.charCodeAt(text, at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = $.charCodeAt(text, at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

type Open = { readonly value: unknown[] | object; key: string | undefined };

/** Reads valid JSON, each string by itself; not recursive, as the nesting has no bound here. */
function readAgain(text: string): unknown {
  const stack: Open[] = [];
  let at = 0;
  let result: unknown;

  function put(value: unknown): void {
    const open = stack[stack.length - 1];
    if (open === undefined) result = value;
    else if ($.isArray(open.value)) $.define(open.value, open.value.length, value, true);
    else {
      $.define(open.value, open.key ?? "", value, true);
      open.key = undefined;
    }
  }

  while (at < text.length) {
    at = skipSpace(text, at);
    const code = $.charCodeAt(text, at);
    if (code === quote) {
      const end = skipString(text, at + 1);
      const read = $.parse($.slice(text, at, end)) as string;
      at = skipSpace(text, end);
      const open = stack[stack.length - 1];
      if ($.charCodeAt(text, at) === colon && open !== undefined) {
        open.key = read;
        at += 1;
      } else put(read);
    } else if (code === 0x7b || code === 0x5b) {
      const value = code === 0x5b ? [] : {};
      put(value);
      $.define(stack, stack.length, { value, key: undefined }, true);
      at += 1;
    } else if (code === 0x7d || code === 0x5d) {
      stack.length -= 1;
      at += 1;
    } else if (code === 0x2c) {
      at += 1;
    } else if (at < text.length) {
      let end = at;
      while (end < text.length && $.indexOf(",]} \n\r\t", $.slice(text, end, end + 1)) < 0) end += 1;
      put($.parse($.slice(text, at, end)));
      at = end;
    }
  }
  return result;
}
