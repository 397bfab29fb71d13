import * as $ from "../../primordials.ts";
import { faultBelow } from "./stacks.ts";
import { decodeUtf8, encodeUtf8, utf8Start, type Utf8State } from "./utf8.ts";
import { utf8Bytes } from "./text.ts";

type Encoding = "utf-8" | "utf-16le" | "windows-1252";

const labels: readonly (readonly [label: string, encoding: Encoding])[] = [
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["unicode-1-1-utf-8", "utf-8"],
  ["utf-16le", "utf-16le"],
  ["utf-16", "utf-16le"],
  ["ucs-2", "utf-16le"],
  ["latin1", "windows-1252"],
  ["iso-8859-1", "windows-1252"],
  ["ascii", "windows-1252"],
  ["us-ascii", "windows-1252"],
  ["windows-1252", "windows-1252"],
];

/** What windows-1252 has from 0x80 to 0x9f. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function encodingOf(label: string): Encoding {
  const wanted = $.toLowerCase($.trim(label));
  for (let i = 0; i < labels.length; i += 1) {
    const row = labels[i];
    if (row !== undefined && row[0] === wanted) return row[1];
  }
  throw faultBelow(
    TextDecoder,
    $.NativeRangeError,
    `TextDecoder does not know the encoding ${$.stringify($.slice(label, 0, 60))}; it knows utf-8, utf-16le, latin1`,
  );
}

function bytesOf(source: unknown): Uint8Array {
  if (source === undefined) return new $.NativeUint8Array(0);
  if ($.is($.bufferBytes, source)) return new $.NativeUint8Array(source as ArrayBuffer);
  if ($.typedName(source) !== undefined) {
    return new $.NativeUint8Array($.typedBuffer(source), $.typedOffset(source), $.typedBytes(source));
  }
  if ($.is($.viewBytes, source))
    return new $.NativeUint8Array($.viewBuffer(source), $.viewOffset(source), $.viewBytes(source));
  throw faultBelow(
    decode,
    $.NativeTypeError,
    "TextDecoder.decode takes an ArrayBuffer or a view of one, e.g. a Uint8Array",
  );
}

export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(given: unknown = ""): Uint8Array {
    const text = `${given}`;
    const bytes = new $.NativeUint8Array(utf8Bytes(text, Number.MAX_SAFE_INTEGER));
    encodeUtf8(text, bytes, $.typedLength(bytes));
    return bytes;
  }

  encodeInto(text: unknown, into: Uint8Array): { readonly read: number; readonly written: number } {
    return encodeUtf8(`${text}`, into, $.typedLength(into));
  }
}

export class TextDecoder {
  readonly #encoding: Encoding;
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  #utf8: Utf8State = utf8Start();
  #half: number | undefined;
  #isStart = true;

  constructor(label: unknown = "utf-8", options: { readonly fatal?: boolean; readonly ignoreBOM?: boolean } = {}) {
    this.#encoding = encodingOf(`${label}`);
    this.#fatal = options.fatal === true;
    this.#ignoreBom = options.ignoreBOM === true;
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }

  decode(source?: unknown, options: { readonly stream?: boolean } = {}): string {
    const bytes = bytesOf(source);
    let out = "";
    const emit = (code: number): void => {
      const isBom = code === 0xfeff && this.#isStart && !this.#ignoreBom && this.#encoding !== "windows-1252";
      this.#isStart = false;
      if (isBom) return;
      if (code < 0x10000) out += $.fromCharCode(code);
      else out += $.fromCharCode(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    };
    const invalid = (): void => {
      if (this.#fatal) {
        this.#reset();
        throw faultBelow(decode, $.NativeTypeError, `the bytes are not valid ${this.#encoding}`);
      }
      emit(0xfffd);
    };
    const length = $.typedLength(bytes);
    if (this.#encoding === "utf-8") decodeUtf8(bytes, length, this.#utf8, emit, invalid);
    else if (this.#encoding === "utf-16le") this.#decodeUtf16(bytes, length, emit);
    else for (let i = 0; i < length; i += 1) emit(windowsCode(bytes[i] as number));
    if (options.stream !== true) {
      if (this.#utf8.needed > 0 || this.#half !== undefined) invalid();
      this.#reset();
    }
    return out;
  }

  #decodeUtf16(bytes: Uint8Array, length: number, emit: (code: number) => void): void {
    for (let i = 0; i < length; i += 1) {
      const byte = bytes[i] as number;
      if (this.#half === undefined) {
        this.#half = byte;
      } else {
        emit(this.#half | (byte << 8));
        this.#half = undefined;
      }
    }
  }

  #reset(): void {
    this.#utf8 = utf8Start();
    this.#half = undefined;
    this.#isStart = true;
  }
}

// The method as a program calls it: stacks are cut off below it.
const { decode } = TextDecoder.prototype;

function windowsCode(byte: number): number {
  return byte >= 0x80 && byte < 0xa0 ? $.charCodeAt(windows1252, byte - 0x80) : byte;
}
