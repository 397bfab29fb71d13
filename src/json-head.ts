// The head of a long JSON text as valid JSON: what is cut off is left out and what is open is closed. It looks at the head alone,
// so that it costs the same however long the text is.

/** JSON of at most about `chars` characters that holds the first of what `json`, as `JSON.stringify` writes it, holds. */
export function headOfJson(json: string, chars: number): string {
  if (json.length <= chars) return json;
  if (json[0] === '"') return `${json.slice(0, wholeTo(json, chars - 1))}"`;
  const open: string[] = [];
  /** Behind the last value that is whole, and what was open there. */
  let kept = 0;
  let closers = "";
  const keep = (end: number): void => {
    kept = end;
    closers = open.toReversed().join("");
  };
  for (let at = 0; at < chars;) {
    const character = json[at];
    let next = at + 1;
    if (character === '"') next = endOfString(json, at, chars);
    else if (character === "{" || character === "[") open.push(character === "{" ? "}" : "]");
    else if (character === "}" || character === "]") open.pop();
    if (next > chars) break;
    const isContainer = character === "{" || character === "[" || character === "}" || character === "]";
    const isKey = character === '"' && json[next] === ":";
    const isWhole = json[next] === "," || json[next] === "}" || json[next] === "]";
    if (isContainer || (isWhole && character !== "," && character !== ":" && !isKey)) keep(next);
    at = next;
  }
  return json.slice(0, kept) + closers;
}

function endOfString(json: string, at: number, most: number): number {
  let i = at + 1;
  for (; i <= most && json[i] !== '"'; i += 1) if (json[i] === "\\") i += 1;
  return i + 1;
}

/** Where a string may be cut: not within an escape, nor within a pair. */
function wholeTo(json: string, chars: number): number {
  let i = 1;
  for (;;) {
    const code = json.charCodeAt(i);
    const length = json[i] === "\\" ? (json[i + 1] === "u" ? 6 : 2) : code >= 0xd800 && code < 0xdc00 ? 2 : 1;
    if (i + length > chars) return i;
    i += length;
  }
}
