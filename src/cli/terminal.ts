import { styleText } from "node:util";
import { Fault, messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";

/** Everything that is not the result: it goes to stderr, in colour where that is a terminal that wants it. */
export interface Notes {
  line(text: string): void;
  warn(text: string): void;
  fail(text: string, hint?: string): void;
  faint(text: string): void;
}

type Style = Parameters<typeof styleText>[0];

export function createNotes(stream: NodeJS.WriteStream = process.stderr): Notes {
  const write = (style: Style | undefined, text: string): void => {
    stream.write(`${style === undefined ? text : styleText(style, text, { stream })}\n`);
  };
  return {
    line: (text) => write(undefined, text),
    warn: (text) => write("yellow", `warning: ${text}`),
    fail(text, hint) {
      write("red", `error: ${text}`);
      if (hint !== undefined) write(undefined, `hint: ${hint}`);
    },
    faint: (text) => write("dim", text),
  };
}

/** A log for people: what concerns only the wording of tools is left to `types` and `doctor`. */
export function noteLogger(notes: Notes, wording: boolean): Logger {
  return {
    warn: (message, data) => {
      if (wording || data?.kind !== "description") notes.warn(message);
    },
    error: (message) => notes.warn(message),
  };
}

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
