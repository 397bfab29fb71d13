import { inspect, styleText } from "node:util";
import { Fault, messageOf } from "../errors.ts";
import { bounds } from "../limits.ts";
import type { Logger } from "../log.ts";
import { printable } from "./printable.ts";

/** Everything that is not the result: it goes to stderr, in colour where that is a terminal that wants it. */
export interface Notes {
  line(text: string): void;
  warn(text: string): void;
  fail(text: string, hint?: string): void;
  faint(text: string): void;
}

export interface NotesOut {
  readonly write: (text: string) => unknown;
  /** Says whether colours are wanted. */
  readonly stream: NodeJS.WriteStream;
}

type Style = Parameters<typeof styleText>[0];

/** Notes of plain text, whatever they are given: see `printable`. */
export function createNotes({ write, stream }: NotesOut): Notes {
  const note = (style: Style | undefined, text: string): void => {
    const clean = printable(text);
    write(`${style === undefined ? clean : styleText(style, clean, { stream })}\n`);
  };
  return {
    line: (text) => note(undefined, text),
    warn: (text) => note("yellow", `warning: ${text}`),
    fail(text, hint) {
      note("red", `error: ${text}`);
      if (hint !== undefined) note(undefined, `hint: ${hint}`);
    },
    faint: (text) => note("dim", text),
  };
}

const causeLines = 30;

/** The host's log, for people: what concerns only the wording of tools is left to `types` and `doctor`. */
export function noteLogger(notes: Notes, wording: boolean): Logger {
  return {
    warn: (message, data) => {
      if (wording || data?.kind !== "description") notes.warn(entryText(message, data));
    },
    error: (message, data) => notes.fail(entryText(message, data)),
  };
}

/** A message with the id that the program was told, and under it what caused it. */
function entryText(message: string, data: Readonly<Record<string, unknown>> = {}): string {
  const id = typeof data.correlationId === "string" ? ` [${data.correlationId}]` : "";
  const text = cut(message, bounds.messageChars) + id;
  return data.cause === undefined ? text : `${text}\n${indented(causeText(data.cause))}`;
}

/** The message, stack and causes of anything thrown, without running any of its code that can be avoided. */
function causeText(cause: unknown): string {
  try {
    return inspect(cause, { customInspect: false, depth: 3, maxStringLength: bounds.messageChars });
  } catch {
    return messageOf(cause);
  }
}

function indented(text: string): string {
  const lines = cut(text, bounds.stackChars).split("\n");
  const shown = lines.slice(0, causeLines).map((line) => `  ${line}`);
  return [...shown, ...(lines.length > causeLines ? [`  … ${lines.length - causeLines} more lines`] : [])].join("\n");
}

const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars)}… (${text.length} characters)`;

/** Tells of anything thrown, and gives the exit code that it means. */
export function noteFailure(notes: Notes, error: unknown): number {
  notes.fail(messageOf(error), error instanceof Fault ? error.hint : undefined);
  if (error instanceof Fault && typeof error.details?.exit === "number") return error.details.exit;
  return error instanceof Fault && usageCodes.has(error.code) ? exits.usage : exits.failed;
}

export const exits = { completed: 0, failed: 1, usage: 2, suspended: 3, interrupted: 130, terminated: 143 } as const;

const usageCodes: ReadonlySet<string> = new Set([
  "invalid_config",
  "invalid_options",
  "invalid_tool",
  "schema_unsupported",
  "duplicate_tool",
  "reserved_name",
  "cannot_start",
]);
