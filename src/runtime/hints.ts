// What to try next, guessed from an error's message and the model's text: a wrong guess costs a sentence, so each hint is
// worded as a possibility. Both texts may be hostile: patterns see a bounded part of them, and this runs on the host's thread.
import { isSameName, nearest } from "../nearest.ts";
import { addedGlobals, engineGlobals } from "../program-globals.ts";
import { originOf } from "./origin.ts";
import { lineSpans, type Position } from "./positions.ts";

export interface Available {
  /** The tools' names or aliases, as they stand behind `tools`. */
  readonly tools: readonly string[];
  /** What else a program can name; those of the sandbox unless given. */
  readonly globals?: readonly string[];
}

export interface Failed {
  readonly name: string;
  readonly message: string;
  /** The model's own text, and the place in it that threw. */
  readonly source: string;
  readonly at?: Position;
}

const listed = 12;
/** Of a name or a chain of names, and of the text on each side of a place. */
const nameChars = 100;
const sideChars = 250;
const elsewhere: Readonly<Record<string, string>> = {
  print: "console.log",
  println: "console.log",
  log: "console.log",
  sleep: "setTimeout",
};
const escape = (text: string): string => text.replace(/[$]/g, "\\$&");

function accessor(tool: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(tool) ? `tools.${tool}` : `tools[${JSON.stringify(tool)}]`;
}

function someOf(tools: readonly string[]): string {
  if (tools.length === 0) return "There are no tools here.";
  const shown = tools.slice(0, listed).map(accessor).join(", ");
  return `Tools: ${shown}${tools.length > listed ? ` and ${tools.length - listed} more` : ""}.`;
}

/** `x is not defined`: the tool of that name, a member of an unknown object that is a tool, or what is spelt nearly so. */
function undefinedName(name: string, failed: Failed, available: Available): string {
  const globals = available.globals ?? addedGlobals;
  const alias = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  const member = new RegExp(`(?<![\\w$.])${escape(name)}\\s*\\??\\.\\s*([\\w$]+)`).exec(around(failed).line)?.[1];
  const word = (member ?? name).slice(0, nameChars);
  const same = available.tools.filter((tool) => isSameName(tool, word));
  const close = [
    ...nearest(word, available.tools, 2).map(accessor),
    ...nearest(name, [...globals, ...engineGlobals], 1),
  ];
  const meant = [...(alias === undefined ? [] : [alias]), ...(same.length > 0 ? same.map(accessor) : close)];
  const [first, ...others] = [...new Set(meant)].slice(0, 3);
  const guess = first === undefined ? "" : `Did you mean ${[first, ...others].join(" or ")}? `;
  return `${guess}${someOf(available.tools)} Globals: ${globals.join(", ")}.`;
}

/** The text right before the place that threw, and what of its line is near it; nothing where no place is known. */
function around({ source, at }: Failed): { readonly before: string; readonly line: string } {
  const span = at === undefined ? undefined : lineSpans(source, at.line, at.line)[0];
  if (at === undefined || span === undefined) return { before: "", line: "" };
  const offset = Math.max(span.from, Math.min(span.from + at.column - 1, span.to));
  return {
    before: source.slice(Math.max(0, offset - sideChars), offset),
    line: source.slice(Math.max(span.from, offset - sideChars), Math.min(span.to, offset + sideChars)),
  };
}

/** The chain of names right before the place, such as `page.items` in `page.items.length`. */
function chainBefore(failed: Failed): string | undefined {
  const chain =
    /(?<![\w$.\])])([\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??\.[\p{ID_Continue}$]+|\[\d+\])*)\s*\??[.[]\s*["']?$/u.exec(
      around(failed).before,
    )?.[1];
  return chain === undefined || chain.length > nameChars ? undefined : chain;
}

const rootOf = (chain: string): string => /^[\p{ID_Continue}$]+/u.exec(chain)?.[0] ?? chain;

const awaitIt = (call: string): string =>
  `Perhaps an await is missing: ${call}(...) gives a promise, so write await ${call}(...).`;

function missingAwait(chain: string | undefined, failed: Failed): string | undefined {
  if (chain !== undefined) {
    const from = originOf(rootOf(chain), failed.source);
    if (from !== undefined) return from.awaited ? undefined : awaitIt(from.call);
  }
  const direct =
    /(?<!await\s+|await\s*\(\s*|[\w$.])(tools(?:\.[\w$]+|\[["'][^"']*["']\]))\s*\((?:[^()]|\([^()]*\))*\)\s*[.[]/.exec(
      around(failed).line,
    )?.[1];
  return direct === undefined ? undefined : awaitIt(direct);
}

function missingField(kind: string, property: string, failed: Failed): string | undefined {
  const chain = chainBefore(failed);
  const unawaited = missingAwait(chain, failed);
  if (unawaited !== undefined) return unawaited;
  if (chain === "null" || chain === "undefined") return undefined;
  if (chain === undefined) return `What .${property} is read from is ${kind} here; log it first to see what it holds.`;
  const parent = /^(.*?)\??(?:\.[\p{ID_Continue}$]+|\[\d+\])$/u.exec(chain)?.[1];
  return parent === undefined
    ? `${chain} is ${kind} here; log it first to see what it holds.`
    : `${chain} is ${kind} here; log Object.keys(${parent}) first to see which fields there are.`;
}

function wrongKind(expression: string, failed: Failed): string | undefined {
  const isChain = expression.length <= nameChars && /^[\p{ID_Start}$_][\p{ID_Continue}$.]*$/u.test(expression);
  const chain = isChain ? expression : undefined;
  const unawaited = missingAwait(chain, failed);
  if (unawaited !== undefined || chain === undefined) return unawaited;
  const from = originOf(rootOf(chain), failed.source);
  return from === undefined
    ? undefined
    : `${chain} may be of another kind than expected, as text or as an object that holds the list: log typeof ${chain} and ${chain} itself to see what ${from.call} gave.`;
}

/** A sentence on what may be wrong and how to go on, if the message is of a known kind. */
export function hintFor(failed: Failed, available: Available): string | undefined {
  const { message } = failed;
  const name = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1];
  if (name !== undefined && name.length <= nameChars) return undefinedName(name, failed, available);
  const read = /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '([^']*)'\)$/.exec(message);
  if (read?.[1] !== undefined && read[2] !== undefined) {
    return missingField(read[1], read[2].slice(0, nameChars), failed);
  }
  const called = /^(?:tools\.)?(.+)\.([\p{ID_Continue}$]+) is not a function$/u.exec(message)?.[1];
  if (called !== undefined) return wrongKind(called, failed);
  const iterated = /^(.+?) is not (?:iterable|async iterable)\b/.exec(message)?.[1];
  if (iterated !== undefined) return wrongKind(iterated, failed);
  if (
    /^"\[object (?:Object|Promise)\]" is not valid JSON$/.test(message) ||
    message.includes('[object Object]" is not valid JSON')
  ) {
    return "What JSON.parse was given may be a value already: use it without JSON.parse, and await it if a tool gave it.";
  }
  if (message.startsWith("Cannot use 'in' operator to search for ")) {
    return "The right side of `in` is no object here, perhaps text; log it first, and JSON.parse it if it holds JSON.";
  }
  return undefined;
}
