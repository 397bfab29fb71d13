import * as $ from "../../primordials.ts";

/** UTF-8 bytes of a text; a lone surrogate counts as its replacement, three bytes. Stops counting above `enough`. */
export function utf8Bytes(text: string, enough: number): number {
  let bytes = text.length;
  for (let i = 0; i < text.length && bytes <= enough; i += 1) {
    const code = $.charCodeAt(text, i);
    if (code < 0x80) continue;
    if (code < 0x800) {
      bytes += 1;
    } else if (code >= 0xd800 && code < 0xdc00 && isTail($.charCodeAt(text, i + 1))) {
      // Four bytes for two units.
      bytes += 2;
      i += 1;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

function isTail(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Whether a text is over `limit` UTF-8 bytes, counting only where its length leaves a doubt. */
export function isOver(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && utf8Bytes(text, limit) > limit;
}

/** The longest head of a text that fits into `limit` UTF-8 bytes and splits no pair. */
export function headWithin(text: string, limit: number): string {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = $.charCodeAt(text, i);
    const pair = code >= 0xd800 && code < 0xdc00 && isTail($.charCodeAt(text, i + 1));
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > limit) return $.slice(text, 0, i);
    if (pair) i += 1;
  }
  return text;
}
