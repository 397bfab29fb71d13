// Where values stand in JSON text as `JSON.stringify` writes it, and how many bytes they have: found in one pass over the
// text, without making a value of it. Serves the guest too: it indexes texts, which no prototype can change.
import * as $ from "./primordials.ts";

export interface Outline {
  /** The index behind the value that begins at `at`. */
  end(at: number): number;
  /** UTF-8 bytes from one index to another, neither within a surrogate pair. */
  bytes(from: number, to: number): number;
}

/** Containers shorter than this many characters are read again instead of being remembered. */
const shortest = 256;
/** Characters whose bytes are added up ahead. */
const block = 64;

/** An array without a prototype: what is written to it meets no setter. */
export function bareArray<T>(): T[] {
  return $.setPrototypeOf([], null);
}

/** The index behind the string that begins at `at`. */
function endOfString(json: string, at: number): number {
  let i = at + 1;
  for (; json[i] !== '"'; i += 1) if (json[i] === "\\") i += 1;
  return i + 1;
}

const isOpening = (character: string | undefined): boolean => character === "[" || character === "{";
const isClosing = (character: string | undefined): boolean => character === "]" || character === "}";

function endOfContainer(json: string, at: number): number {
  let depth = 0;
  for (let i = at; ;) {
    const character = json[i];
    if (character === '"') {
      i = endOfString(json, i);
      continue;
    }
    i += 1;
    if (isOpening(character)) depth += 1;
    else if (isClosing(character)) depth -= 1;
    if (depth === 0) return i;
  }
}

function endOfWord(json: string, at: number): number {
  let i = at;
  for (; i < json.length && json[i] !== "," && !isClosing(json[i]); i += 1);
  return i;
}

interface Containers {
  readonly starts: number[];
  readonly ends: number[];
}

/** The containers that are not short, in the order of their starts. */
function readContainers(json: string): Containers {
  const starts = bareArray<number>();
  const ends = bareArray<number>();
  const open = bareArray<number>();
  let count = 0;
  let depth = 0;
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (character === '"') {
      i = endOfString(json, i) - 1;
    } else if (isOpening(character)) {
      starts[count] = i;
      ends[count] = 0;
      open[depth] = count;
      count += 1;
      depth += 1;
    } else if (isClosing(character)) {
      depth -= 1;
      const index = open[depth] as number;
      if (i + 1 - (starts[index] as number) >= shortest) ends[index] = i + 1;
      // All behind it in the list lies within it, and is shorter still.
      else count = index;
    }
  }
  starts.length = count;
  return { starts, ends };
}

function rememberedEnd({ starts, ends }: Containers, at: number): number | undefined {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const start = starts[middle] as number;
    if (start === at) return ends[middle];
    if (start < at) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Bytes that a character has beyond one; a pair's are those of its first half. */
export function extraBytes(json: string, from: number, to: number): number {
  let extra = 0;
  for (let i = from; i < to; i += 1) {
    const code = $.charCodeAt(json, i);
    if (code >= 0x80 && (code < 0xdc00 || code >= 0xe000)) extra += code < 0x800 ? 1 : 2;
  }
  return extra;
}

/** Extra bytes before each block; `undefined` where all is ASCII. */
function readExtra(json: string): number[] | undefined {
  if ($.matches(/[\u0080-\uffff]/, json) === null) return undefined;
  const before = bareArray<number>();
  let sum = 0;
  for (let at = 0, index = 0; at <= json.length; at += block, index += 1) {
    before[index] = sum;
    sum += extraBytes(json, at, $.min(at + block, json.length));
  }
  return before;
}

/** The outline of the text of one JSON value, without white space around tokens and without lone surrogates. */
export function outlineOf(json: string): Outline {
  const containers = readContainers(json);
  const before = readExtra(json);
  const extraBefore = (at: number): number => {
    if (before === undefined) return 0;
    const index = $.floor(at / block);
    return (before[index] as number) + extraBytes(json, index * block, at);
  };
  return {
    end(at) {
      if (json[at] === '"') return endOfString(json, at);
      if (!isOpening(json[at])) return endOfWord(json, at);
      return rememberedEnd(containers, at) ?? endOfContainer(json, at);
    },
    bytes: (from, to) => to - from + extraBefore(to) - extraBefore(from),
  };
}
