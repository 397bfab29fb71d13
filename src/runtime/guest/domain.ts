// Host names for the URL parser, in place of the tables of UTS 46 (200 KB): compatibility forms and case are folded by what
// the engine knows of Unicode. Names that the tables would refuse may pass; names that are valid come out the same.

const base = 36;
const tMin = 1;
const tMax = 26;

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 97 : value + 22);
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? 700 : 2));
  left += Math.floor(left / points);
  let k = 0;
  for (; left > ((base - tMin) * tMax) / 2; k += base) left = Math.floor(left / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * left) / (left + 38));
}

/** Punycode (RFC 3492) of one label. */
export function encodeLabel(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < 0x80);
  let out = String.fromCharCode(...basic) + (basic.length > 0 ? "-" : "");
  let handled = basic.length;
  let n = 0x80;
  let bias = 72;
  let delta = 0;
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (point !== n) continue;
      let q = delta;
      for (let k = base; ; k += base) {
        const t = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias;
        if (q < t) break;
        out += digit(t + ((q - t) % (base - t)));
        q = Math.floor((q - t) / (base - t));
      }
      out += digit(q);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return out;
}

function fold(domain: string): string {
  const ignored = /\u00ad|\u200b|\u2060|\ufeff|[\ufe00-\ufe0f]/gu;
  const stops = /[\u3002\uff0e\uff61]/gu;
  const mapped = domain.replace(ignored, "").replace(stops, ".").normalize("NFKC").toLowerCase().normalize("NFKC");
  return mapped.normalize("NFC");
}

/** The ASCII form of a host name; `null` where there is none. */
export function toASCII(domain: string): string | null {
  const isAscii = /^[\0-\x7f]*$/u.test(domain);
  const labels = (isAscii ? domain.toLowerCase() : fold(domain)).split(".");
  const encoded = labels.map((label) => (/^[\0-\x7f]*$/u.test(label) ? label : `xn--${encodeLabel(label)}`));
  const whole = encoded.join(".");
  // A lone surrogate or a replacement character is in no host name.
  return /[\ud800-\udfff\ufffd]/u.test(domain) ? null : whole;
}
