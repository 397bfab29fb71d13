// The bootstrap's own class; in this file's scope so that it stands for itself wherever the file is checked.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const encoder = new TextEncoder();

/** Percent-encodes the UTF-8 bytes of a query that are controls, outside ASCII, or in `reserved`. */
export function percentEncodeAfterEncoding(_encoding: string, query: string, reserved: string): string {
  let out = "";
  for (const byte of encoder.encode(query)) {
    const character = String.fromCharCode(byte);
    const isPlain = byte > 0x1f && byte < 0x7f && !reserved.includes(character);
    out += isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}
