// All randomness of a program comes from the run's seed: one stream for `Math.random`, one for `crypto`.
import * as $ from "../../primordials.ts";
import { DOMException } from "./dom-exception.ts";
import { cutStack, faultBelow } from "./stacks.ts";

export interface Random {
  seed(seed: readonly [number, number, number, number]): void;
}

/** Small fast counting generator (sfc32): a function that gives the next 32 bits. */
function generator(seed: readonly [number, number, number, number], salt: number): () => number {
  let a = (seed[0] ^ salt) | 0;
  let b = seed[1] | 0;
  let c = seed[2] | 0;
  let count = seed[3] | 0;
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i += 1) next();
  return next;
}

const maxBytes = 65_536;

function hex(byte: number): string {
  const digits = "0123456789abcdef";
  return `${digits[byte >> 4]}${digits[byte & 15]}`;
}

/** Installs `Math.random` and `crypto`; both draw from the seed given before the program starts. */
export function installRandom(root: object): Random {
  let forMath = generator([0, 0, 0, 0], 0);
  let forCrypto = forMath;

  const random = (): number => ((forMath() >>> 5) * 67_108_864 + (forMath() >>> 6)) / 9_007_199_254_740_992;
  $.define(Math, "random", random);

  function getRandomValues(array: unknown): unknown {
    const kind = $.typedName(array);
    if (kind === undefined || kind === "Float16Array" || kind === "Float32Array" || kind === "Float64Array") {
      throw faultBelow(
        getRandomValues,
        $.NativeTypeError,
        "crypto.getRandomValues takes an integer typed array, e.g. new Uint8Array(16)",
      );
    }
    const length = $.typedBytes(array);
    if (length > maxBytes) {
      const message = `crypto.getRandomValues fills at most ${maxBytes} bytes at once, got ${length}`;
      throw cutStack(new DOMException(message, "QuotaExceededError"), getRandomValues);
    }
    const bytes = new $.NativeUint8Array($.typedBuffer(array), $.typedOffset(array), length);
    for (let i = 0; i < length; i += 1) bytes[i] = forCrypto() >>> 24;
    return array;
  }

  function randomUUID(): string {
    let text = "";
    for (let i = 0; i < 16; i += 1) {
      let byte = forCrypto() >>> 24;
      if (i === 6) byte = (byte & 0x0f) | 0x40;
      if (i === 8) byte = (byte & 0x3f) | 0x80;
      if (i === 4 || i === 6 || i === 8 || i === 10) text += "-";
      text += hex(byte);
    }
    return text;
  }

  const crypto = {};
  $.define(crypto, "getRandomValues", getRandomValues);
  $.define(crypto, "randomUUID", randomUUID);
  $.define(root, "crypto", crypto);
  return {
    seed(seed) {
      forMath = generator(seed, 0x6d617468);
      forCrypto = generator(seed, 0x63727970);
    },
  };
}
