import * as $ from "../../primordials.ts";

/** Writes a text as UTF-8 from the start of `into`; a lone surrogate becomes U+FFFD. Stops at the last character that fits. */
export function encodeUtf8(
  text: string,
  into: Uint8Array,
  capacity: number,
): { readonly read: number; readonly written: number } {
  let at = 0;
  let i = 0;
  for (; i < text.length; i += 1) {
    let code = $.charCodeAt(text, i);
    let units = 1;
    if (code >= 0xd800 && code < 0xe000) {
      const low = code < 0xdc00 ? $.charCodeAt(text, i + 1) : 0;
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        units = 2;
      } else {
        code = 0xfffd;
      }
    }
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (at + size > capacity) break;
    if (size === 1) {
      into[at] = code;
    } else {
      for (let k = size - 1; k > 0; k -= 1) {
        into[at + k] = 0x80 | (code & 0x3f);
        code >>= 6;
      }
      into[at] = (size === 2 ? 0xc0 : size === 3 ? 0xe0 : 0xf0) | code;
    }
    at += size;
    i += units - 1;
  }
  return { read: i, written: at };
}

/** A sequence of which the decoder waits for the rest. */
export interface Utf8State {
  needed: number;
  code: number;
  lower: number;
  upper: number;
}

export const utf8Start = (): Utf8State => ({ needed: 0, code: 0, lower: 0x80, upper: 0xbf });

/** Decodes bytes; `onInvalid` gives what stands for a bad sequence, or throws. What is unfinished stays in `state`. */
export function decodeUtf8(
  bytes: Uint8Array,
  length: number,
  state: Utf8State,
  emit: (code: number) => void,
  onInvalid: () => void,
): void {
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[i] as number;
    if (state.needed === 0) {
      if (byte < 0x80) emit(byte);
      else if (!startSequence(byte, state)) onInvalid();
    } else if (byte < state.lower || byte > state.upper) {
      state.needed = 0;
      state.lower = 0x80;
      state.upper = 0xbf;
      onInvalid();
      i -= 1;
    } else {
      state.lower = 0x80;
      state.upper = 0xbf;
      state.code = (state.code << 6) | (byte & 0x3f);
      state.needed -= 1;
      if (state.needed === 0) emit(state.code);
    }
  }
}

function startSequence(byte: number, state: Utf8State): boolean {
  if (byte >= 0xc2 && byte <= 0xdf) {
    state.needed = 1;
    state.code = byte & 0x1f;
  } else if (byte >= 0xe0 && byte <= 0xef) {
    // Shortest forms only, and no surrogates.
    if (byte === 0xe0) state.lower = 0xa0;
    if (byte === 0xed) state.upper = 0x9f;
    state.needed = 2;
    state.code = byte & 0x0f;
  } else if (byte >= 0xf0 && byte <= 0xf4) {
    if (byte === 0xf0) state.lower = 0x90;
    if (byte === 0xf4) state.upper = 0x8f;
    state.needed = 3;
    state.code = byte & 0x07;
  } else {
    return false;
  }
  return true;
}
