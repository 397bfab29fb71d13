// Where the model's text assigns a variable from the call of a tool. The text may be made to be slow to search: one pass
// finds a bounded number of places, and patterns see a bounded part of the text around each.

export interface Origin {
  readonly call: string;
  readonly awaited: boolean;
}

const maxPlaces = 200;
const declarationChars = 500;
const callChars = 300;
const word = "tools";
const called = /^(tools(?:\.[\w$]+|\[["'][^"'\n]*["']\]))\s*\(/;
const keyword = /\b(?:const|let|var)\s/g;
const assigned = /^([\p{ID_Start}$_][\p{ID_Continue}$]*|\{[^{}=]*\})\s*(?::[^=;\n]+)?=\s*(await\s+)?$/u;

/** What stands between the last keyword of a declaration and the end of a text. */
function declarationAt(text: string): RegExpExecArray | null {
  let from = -1;
  for (const match of text.matchAll(keyword)) from = match.index + match[0].length;
  return from < 0 ? null : assigned.exec(text.slice(from).trimStart());
}

function names(target: string, variable: string): boolean {
  return target === variable || (target.startsWith("{") && target.split(/[^\p{ID_Continue}$]/u).includes(variable));
}

/** The call of a tool that a variable was assigned from, and whether it was awaited. */
export function originOf(variable: string, source: string): Origin | undefined {
  let at = source.indexOf(word);
  for (let seen = 0; at >= 0 && seen < maxPlaces; seen += 1) {
    const call = called.exec(source.slice(at, at + callChars))?.[1];
    const head = call === undefined ? null : declarationAt(source.slice(Math.max(0, at - declarationChars), at));
    if (call !== undefined && head?.[1] !== undefined && names(head[1], variable)) {
      return { call, awaited: head[2] !== undefined };
    }
    at = source.indexOf(word, at + word.length);
  }
  return undefined;
}
