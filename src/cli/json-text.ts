import type { JsonValue } from "../json.ts";

export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const token =
  /(?<mark>[{}[\],:])|(?<string>"(?:[^"\\]|\\[^])*")|(?<scalar>(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y;

const lexeme = /"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Reads JSON, and says where and why a text is none: engines name the place for some faults only. */
export function readJson(text: string): { readonly value: JsonValue } | { readonly fault: JsonFault } {
  return isJson(text) ? { value: JSON.parse(text) as JsonValue } : { fault: locate(text) };
}

/** The first key of a JSON text that an object cannot hold, or holds twice. */
export function findBadKey(text: string): JsonFault | undefined {
  const seen: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const match of text.matchAll(lexeme)) {
    const [word] = match;
    const keys = seen.at(-1);
    if (word === "{") seen.push(new Set());
    else if (word === "[") seen.push(undefined);
    else if (word === "}" || word === "]") seen.pop();
    else if (isKey && keys !== undefined && word.startsWith('"')) {
      const key = JSON.parse(word) as string;
      if (key === "__proto__") return placed(text, match.index, 'the key "__proto__" can name nothing');
      if (keys.has(key)) return placed(text, match.index, `the key ${JSON.stringify(key)} is in one object twice`);
      keys.add(key);
    }
    isKey = word === "{" || word === ",";
  }
  return undefined;
}

function locate(text: string): JsonFault {
  const open: ("{" | "[")[] = [];
  let expected: readonly string[] = ["a value"];
  let at = 0;
  for (;;) {
    while (/[ \t\n\r]/.test(text.charAt(at))) at += 1;
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    if (groups === undefined) return fault(text, at, expected);
    const { mark, string, scalar } = groups;
    if (string !== undefined && !isJson(string))
      return fault(text, at, ["a string on one line with JSON's escapes only"]);
    const word = mark ?? string ?? scalar ?? "";
    const kind = mark ?? (string === undefined ? "scalar" : "string");
    const next = follow(kind, expected, open);
    if (next === undefined) return fault(text, at, expected);
    expected = next;
    at += word.length;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What may come after a token, or undefined where the token itself may not come. */
function follow(kind: string, expected: readonly string[], open: ("{" | "[")[]): readonly string[] | undefined {
  const after = (): readonly string[] =>
    open.length === 0 ? ["the end"] : open.at(-1) === "{" ? ['","', '"}"'] : ['","', '"]"'];
  if (kind === "string" && expected.includes("a key")) return ['":"'];
  if (expected.includes("a value")) {
    if (kind === "string" || kind === "scalar") return after();
    if (kind === "{" || kind === "[") {
      open.push(kind);
      return kind === "{" ? ["a key", '"}"'] : ["a value", '"]"'];
    }
  }
  if (!expected.includes(`"${kind}"`)) return undefined;
  if (kind === ":") return ["a value"];
  if (kind === ",") return open.at(-1) === "{" ? ["a key"] : ["a value"];
  open.pop();
  return after();
}

function fault(text: string, at: number, expected: readonly string[]): JsonFault {
  const found = at >= text.length ? "the text ends" : `found ${JSON.stringify(text.slice(at, at + 12).split("\n")[0])}`;
  const advice = expected.includes("a key") && text[at] === "'" ? "; keys need double quotes" : "";
  return placed(text, at, `expected ${expected.join(" or ")}, ${found}${advice}`);
}

function placed(text: string, at: number, message: string): JsonFault {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
