import * as $ from "../../primordials.ts";
import { DOMException } from "./dom-exception.ts";
import { cutStack } from "./stacks.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function letter(bits: number): string {
  return alphabet[bits & 63] as string;
}

/** Base64 of a text whose characters are bytes. */
export function btoa(given?: unknown): string {
  const text = `${given}`;
  let out = "";
  for (let i = 0; i < text.length; i += 3) {
    const a = $.charCodeAt(text, i);
    const b = i + 1 < text.length ? $.charCodeAt(text, i + 1) : 0;
    const c = i + 2 < text.length ? $.charCodeAt(text, i + 2) : 0;
    if (a > 255 || b > 255 || c > 255) {
      const message = "btoa takes characters up to U+00FF: encode the text with TextEncoder first";
      throw cutStack(new DOMException(message, "InvalidCharacterError"), btoa);
    }
    out += letter(a >> 2) + letter((a << 4) | (b >> 4));
    out += i + 1 < text.length ? letter((b << 2) | (c >> 6)) : "=";
    out += i + 2 < text.length ? letter(c) : "=";
  }
  return out;
}

/** The bytes of base64 as a text of characters up to U+00FF; white space and missing padding are forgiven. */
export function atob(given?: unknown): string {
  const text = strip(`${given}`);
  let out = "";
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i += 1) {
    const value = $.indexOf(alphabet, text[i] as string);
    if (value < 0) return refuse();
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += $.fromCharCode((bits >> held) & 255);
      bits &= (1 << held) - 1;
    }
  }
  return text.length % 4 === 1 ? refuse() : out;
}

function refuse(): never {
  throw cutStack(new DOMException("atob was given text that is not base64", "InvalidCharacterError"), atob);
}

function strip(text: string): string {
  let out = "";
  for (let i = 0; i < text.length; i += 1) {
    const code = $.charCodeAt(text, i);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) out += text[i] as string;
  }
  if (out.length % 4 !== 0) return out;
  if ($.slice(out, -2) === "==") return $.slice(out, 0, -2);
  return $.slice(out, -1) === "=" ? $.slice(out, 0, -1) : out;
}
