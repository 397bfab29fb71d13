// From what a program threw to what the model reads. The stack is text that the guest may have written itself: it is
// cut, read line by line, and only places in the program's own script that map to the model's text are kept.
import { bounds } from "../limits.ts";
import { codeFrame } from "./code-frame.ts";
import type { Compiled } from "./compiled.ts";
import { type Available, hintFor } from "./hints.ts";
import { lineSpans, type Position } from "./positions.ts";
import type { GuestError } from "./protocol.ts";

export interface Frame extends Position {
  readonly name?: string;
}

export interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly frame?: string;
  readonly hint?: string;
  /** Innermost first. */
  readonly stack: readonly Frame[];
}

const maxFrames = 20;
const nameChars = 200;
const place = /program\.ts:(\d{1,7}):(\d{1,7})/;
const internalNames = new Set(["eval", "<anonymous>", "<computed>"]);

/** Reads `name (where)` or `where`, in one pass over a line that may be made to be slow to match. */
function splitFrame(body: string): { readonly name: string; readonly where: string } {
  const open = body.endsWith(")") ? body.indexOf(" (") : -1;
  if (open < 0) return { name: "", where: body };
  const full = body.slice(0, open).replace(/^new /, "");
  const alias = full.endsWith("]") ? full.indexOf(" [as ") : -1;
  return { name: (alias < 0 ? full : full.slice(0, alias)).slice(0, nameChars), where: body.slice(open + 2, -1) };
}

function readFrame(line: string, compiled: Compiled): Frame | undefined {
  const body = /^\s+at (?:async )?(.*)$/.exec(line)?.[1];
  if (body === undefined) return undefined;
  const { name, where } = splitFrame(body);
  // Code made by eval lies nowhere in the text; the place of the eval stands for it.
  const isEval = where.startsWith("eval at ");
  const match = place.exec(where);
  if (match === null || (!isEval && match.index !== 0)) return undefined;
  const position = compiled.locate(Number(match[1]), Number(match[2]));
  if (position === undefined) return undefined;
  return name === "" || internalNames.has(name) || isEval ? position : { name, ...position };
}

/** The frames of a V8 stack that lie in the model's text. */
export function readStack(stack: string, header: string, compiled: Compiled): Frame[] {
  const cut = stack.slice(0, bounds.stackChars);
  const lines = (cut.startsWith(header) ? cut.slice(header.length) : cut).split("\n");
  // The last line of a cut stack may be part of one.
  if (stack.length > cut.length) lines.pop();
  const frames: Frame[] = [];
  for (const line of lines) {
    const frame = readFrame(line, compiled);
    if (frame !== undefined) frames.push(frame);
    if (frames.length === maxFrames) break;
  }
  return frames;
}

/** A syntax error that V8 reports at compile time names its line in the first line of the stack alone. */
function readHead(stack: string, compiled: Compiled): Frame[] {
  const line = /^program\.ts:(\d{1,7})\b/.exec(stack)?.[1];
  const position = line === undefined ? undefined : compiled.locate(Number(line), 1);
  return position === undefined ? [] : [position];
}

/** V8 places a name that is not defined where its statement starts; the name itself is what a reader looks for. */
function sharpen(at: Frame, name: string, message: string, source: string): Frame {
  const missing = name === "ReferenceError" ? /^([\w$]{1,200}) is not defined$/.exec(message)?.[1] : undefined;
  const [span] = missing === undefined ? [] : lineSpans(source, at.line, at.line);
  if (missing === undefined || span === undefined) return at;
  const line = source.slice(span.from, Math.min(span.to, span.from + bounds.stackChars));
  for (let from = line.indexOf(missing, at.column - 1); from >= 0; from = line.indexOf(missing, from + 1)) {
    const isWhole = !/[\w$.]/.test(line[from - 1] ?? " ") && !/[\w$]/.test(line[from + missing.length] ?? " ");
    if (isWhole) return { ...at, column: from + 1 };
  }
  return at;
}

export function describeError(
  error: GuestError,
  compiled: Compiled,
  available: Available = { tools: [] },
): DescribedError {
  const name = error.name.slice(0, nameChars);
  const message = error.message.slice(0, bounds.messageChars);
  const given = error.stack ?? "";
  const header = error.message === "" ? error.name : `${error.name}: ${error.message}`;
  const frames = readStack(given, header, compiled);
  const stack = frames.length > 0 ? frames : readHead(given, compiled);
  const [reported] = stack;
  const top = reported === undefined ? undefined : sharpen(reported, name, message, compiled.source);
  const hint =
    error.hint?.slice(0, bounds.messageChars) ??
    hintFor({ name, message, source: compiled.source, ...(top === undefined ? {} : { at: top }) }, available);
  return Object.freeze({
    name,
    message,
    ...(top === undefined ? {} : { line: top.line, column: top.column, frame: codeFrame(compiled.source, top) }),
    ...(hint === undefined ? {} : { hint }),
    stack: Object.freeze(stack),
  });
}
