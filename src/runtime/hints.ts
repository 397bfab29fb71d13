// What to try next, guessed from an error's message and the model's text. The text is searched by patterns here: a wrong
// guess costs a sentence, so each hint is worded as a possibility.
import { isSameName, nearest } from "../nearest.ts";
import { addedGlobals, engineGlobals } from "./guest/globals.ts";
import { lineStarts, offsetAt, type Position } from "./positions.ts";

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
  const member = new RegExp(`(?<![\\w$.])${escape(name)}\\s*\\??\\.\\s*([\\w$]+)`).exec(lineOf(failed))?.[1];
  const word = member ?? name;
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

const lineOf = (failed: Failed): string =>
  failed.at === undefined ? failed.source : (failed.source.split(/\r\n|[\n\r\u2028\u2029]/)[failed.at.line - 1] ?? "");

/** The chain of names right before the place, such as `page.items` in `page.items.length`. */
function chainBefore(failed: Failed): string | undefined {
  if (failed.at === undefined) return undefined;
  const offset = offsetAt(lineStarts(failed.source), failed.at);
  if (offset === undefined) return undefined;
  const before = failed.source.slice(Math.max(0, offset - 200), offset);
  return /(?<![\w$.\])])([\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??\.[\p{ID_Continue}$]+|\[\d+\])*)\s*\??[.[]\s*["']?$/u.exec(
    before,
  )?.[1];
}

const rootOf = (chain: string): string => /^[\p{ID_Continue}$]+/u.exec(chain)?.[0] ?? chain;

/** The call of a tool that a variable was assigned from, and whether it was awaited. */
function origin(variable: string, source: string): { readonly call: string; readonly awaited: boolean } | undefined {
  const name = escape(variable);
  const pattern = new RegExp(
    `\\b(?:const|let|var)\\s+(?:${name}|\\{[^{}=]*\\b${name}\\b[^{}=]*\\})\\s*(?::[^=;\\n]+)?=\\s*(await\\s+)?(tools(?:\\.[\\w$]+|\\[["'][^"']*["']\\]))\\s*\\(`,
  );
  const match = pattern.exec(source);
  return match?.[2] === undefined ? undefined : { call: match[2], awaited: match[1] !== undefined };
}

const awaitIt = (call: string): string =>
  `Perhaps an await is missing: ${call}(...) gives a promise, so write await ${call}(...).`;

function missingAwait(chain: string | undefined, failed: Failed): string | undefined {
  if (chain !== undefined) {
    const from = origin(rootOf(chain), failed.source);
    if (from !== undefined) return from.awaited ? undefined : awaitIt(from.call);
  }
  const direct =
    /(?<!await\s+|await\s*\(\s*|[\w$.])(tools(?:\.[\w$]+|\[["'][^"']*["']\]))\s*\((?:[^()]|\([^()]*\))*\)\s*[.[]/.exec(
      lineOf(failed),
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
  const chain = /^[\p{ID_Start}$_][\p{ID_Continue}$.]*$/u.test(expression) ? expression : undefined;
  const unawaited = missingAwait(chain, failed);
  if (unawaited !== undefined || chain === undefined) return unawaited;
  const from = origin(rootOf(chain), failed.source);
  return from === undefined
    ? undefined
    : `${chain} may be of another kind than expected, as text or as an object that holds the list: log typeof ${chain} and ${chain} itself to see what ${from.call} gave.`;
}

/** A sentence on what may be wrong and how to go on, if the message is of a known kind. */
export function hintFor(failed: Failed, available: Available): string | undefined {
  const { message } = failed;
  const name = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1];
  if (name !== undefined) return undefinedName(name, failed, available);
  const read = /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '([^']*)'\)$/.exec(message);
  if (read?.[1] !== undefined && read[2] !== undefined) return missingField(read[1], read[2], failed);
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
