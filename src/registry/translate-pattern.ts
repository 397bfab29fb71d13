// A pattern of JSON Schema is ECMA-262 with the `u` flag; the linear engine reads RE2. The two share most of their
// syntax and differ in what `.`, `\s`, `[]`, escapes and names of properties mean, so every pattern is taken apart and
// written anew, letters that neither reads otherwise apart as `\x{…}`. Groups capture nothing, since nothing asks for
// captures. The text has passed as a native pattern before; escapes that only older engines let through mean their sign.

/** A pattern for the linear engine, and how many states it takes there at most. */
export interface Translated {
  readonly text: string;
  readonly states: number;
}

const deepest = 200;
/** The engine repeats no more often than this at once. */
const repeatsAtOnce = 1_000;
const mostStates = 1e6;

const space = String.raw`\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`;
const noSpace = String.raw`\x{0}-\x{8}\x{E}-\x{1F}!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`;
const anything = String.raw`\x{0}-\x{10FFFF}`;
const sets: Readonly<Record<string, string>> = {
  d: String.raw`\d`,
  D: String.raw`\D`,
  w: String.raw`\w`,
  W: String.raw`\W`,
  s: space,
  S: noSpace,
};
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The long names of general categories, which the engine knows by their short ones. */
const categories: ReadonlyMap<string, string> = new Map(
  `Cased_Letter LC|Close_Punctuation Pe|Connector_Punctuation Pc|Control Cc|cntrl Cc|Currency_Symbol Sc|Dash_Punctuation Pd
  |Decimal_Number Nd|digit Nd|Enclosing_Mark Me|Final_Punctuation Pf|Format Cf|Initial_Punctuation Pi|Letter L|Letter_Number Nl
  |Line_Separator Zl|Lowercase_Letter Ll|Mark M|Combining_Mark M|Math_Symbol Sm|Modifier_Letter Lm|Modifier_Symbol Sk
  |Nonspacing_Mark Mn|Number N|Open_Punctuation Ps|Other C|Other_Letter Lo|Other_Number No|Other_Punctuation Po
  |Other_Symbol So|Paragraph_Separator Zp|Private_Use Co|Punctuation P|punct P|Separator Z|Space_Separator Zs
  |Spacing_Mark Mc|Surrogate Cs|Symbol S|Titlecase_Letter Lt|Unassigned Cn|Uppercase_Letter Lu`
    .split("|")
    .map((row): [string, string] => {
      const [long = "", short = ""] = row.trim().split(" ");
      return [long, short];
    }),
);

/** Throws, with the reason, where no linear engine can follow the pattern. */
export function translatePattern(pattern: string): Translated {
  let at = 0;

  /** What stands at the place, taken as a match of a sticky expression. */
  function take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at;
    const match = expression.exec(pattern);
    if (match === null) return undefined;
    at += match[0].length;
    return match;
  }

  function takePoint(): number {
    const point = pattern.codePointAt(at);
    if (point === undefined) throw new Error("it ends too early");
    at += point > 0xffff ? 2 : 1;
    return point;
  }

  function alternatives(depth: number): Translated {
    if (depth > deepest) throw new Error(`its groups nest more than ${deepest} deep`);
    const texts = [""];
    let states = 1;
    while (at < pattern.length && pattern[at] !== ")") {
      if (pattern[at] === "|") {
        at += 1;
        states += 1;
        texts.push("");
        continue;
      }
      const term = repeat(atom(depth));
      texts[texts.length - 1] += term.text;
      states += term.states;
    }
    return { text: texts.join("|"), states };
  }

  function atom(depth: number): Translated {
    const sign = pattern[at];
    if (sign === "(") return group(depth);
    if (sign === "[") return characterClass();
    if (sign === "\\") return escape();
    if (sign === "." || sign === "^" || sign === "$") {
      at += 1;
      return one(sign === "." ? String.raw`[^\n\r\x{2028}\x{2029}]` : sign);
    }
    return one(literal(takePoint()));
  }

  function group(depth: number): Translated {
    if (take(/\(\?<?[=!]/y) !== undefined) throw new Error("it looks around, which takes more than linear time");
    if (take(/\((\?:|\?<[^>]*>)?(?!\?)/y) === undefined) throw new Error("it sets flags inside a group");
    const inner = alternatives(depth + 1);
    at += 1;
    return { text: `(?:${inner.text})`, states: inner.states };
  }

  function escape(): Translated {
    const assertion = take(/\\[bB]/y);
    if (assertion !== undefined) return one(assertion[0]);
    const taken = takeEscape();
    return one(typeof taken === "number" ? literal(taken) : `[${taken}]`);
  }

  /** A single character as its code point, a set as what stands for it between brackets. */
  function takeEscape(): number | string {
    at += 1;
    const property = take(/([pP])\{(?:(\w+)=)?(\w+)\}/y);
    if (property !== undefined) return readProperty(property[1] === "P", property[2], property[3] ?? "");
    const pair = take(/u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/y);
    if (pair !== undefined) return String.fromCharCode(hex(pair[1]), hex(pair[2])).codePointAt(0) ?? 0;
    const coded = take(/x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}/y);
    if (coded !== undefined) return hex(coded[1] ?? coded[2] ?? coded[3]);
    const control = take(/c([a-zA-Z])/y);
    if (control !== undefined) return (control[1] ?? "").charCodeAt(0) % 32;
    if (take(/0(?!\d)/y) !== undefined) return 0;
    if (take(/[1-9]|k</y) !== undefined)
      throw new Error("it refers back to a group, which takes more than linear time");
    const point = takePoint();
    const sign = String.fromCodePoint(point);
    if (Object.hasOwn(sets, sign)) return sets[sign] ?? "";
    if (Object.hasOwn(controls, sign)) return controls[sign] ?? 0;
    if (/[\da-zA-Z]/.test(sign)) throw new Error(`its escape \\${sign} means nothing in ECMA-262`);
    return point;
  }

  function characterClass(): Translated {
    at += 1;
    const negated = take(/\^/y) !== undefined;
    let text = "";
    while (pattern[at] !== "]") {
      const from = classItem();
      if (take(/-(?!\])/y) === undefined) {
        text += inClass(from);
        continue;
      }
      const to = classItem();
      // Older engines read a set at either end as a hyphen between the two.
      const hyphen = typeof from === "number" && typeof to === "number" ? "-" : String.raw`\x{2D}`;
      text += inClass(from) + hyphen + inClass(to);
    }
    at += 1;
    if (text === "") return one(negated ? `[${anything}]` : `[^${anything}]`);
    return one(`[${negated ? "^" : ""}${text}]`);
  }

  function classItem(): number | string {
    if (take(/\\b/y) !== undefined) return 8;
    return pattern[at] === "\\" ? takeEscape() : takePoint();
  }

  function repeat(term: Translated): Translated {
    const match = take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (match === undefined) return term;
    const [, sign, lower, comma, upper] = match;
    if (sign !== undefined) return { text: term.text + sign, states: term.states + 1 };
    const least = Number(lower);
    const most = comma === undefined ? least : upper === "" ? undefined : Number(upper);
    const states = (term.states + 1) * Math.max(1, most ?? least);
    // Too many to be written out; the states say so.
    if (states > mostStates) return { text: "", states };
    if (most === undefined && least <= repeatsAtOnce) return { text: `${term.text}{${least},}`, states };
    if (most === undefined)
      return { text: `${times(term.text, least, least)}(?:${term.text})*`, states: states + term.states };
    return { text: times(term.text, least, most), states };
  }

  const whole = alternatives(0);
  if (at < pattern.length) throw new Error("it closes a group that it does not open");
  return whole;
}

const one = (text: string): Translated => ({ text, states: 1 });
const hex = (digits = ""): number => Number.parseInt(digits, 16);

function literal(point: number): string {
  const sign = String.fromCodePoint(point);
  return /[\da-zA-Z]/.test(sign) ? sign : `\\x{${point.toString(16).toUpperCase()}}`;
}

const inClass = (item: number | string): string => (typeof item === "number" ? literal(item) : item);

/** `text` from `least` to `most` times, in parts that the engine takes. */
function times(text: string, least: number, most: number): string {
  let [low, high] = [least, most];
  let parts = "";
  while (high > repeatsAtOnce) {
    parts += `${text}{${Math.min(low, repeatsAtOnce)},${repeatsAtOnce}}`;
    low -= Math.min(low, repeatsAtOnce);
    high -= repeatsAtOnce;
  }
  return `(?:${parts}${text}{${low},${high}})`;
}

function readProperty(negated: boolean, name: string | undefined, value: string): string {
  const letter = negated ? "P" : "p";
  if (name === undefined && value === "ASCII")
    return negated ? String.raw`\x{80}-\x{10FFFF}` : String.raw`\x{0}-\x{7F}`;
  if (name === undefined || name === "General_Category" || name === "gc")
    return `\\${letter}{${categories.get(value) ?? value}}`;
  if (name === "Script" || name === "sc") return `\\${letter}{${value}}`;
  throw new Error(`the property ${name} is not known`);
}
