// Stdout is the result's alone: what a configured module prints goes to stderr, as all that people read.
import { StringDecoder } from "node:string_decoder";
import { Writable } from "node:stream";
import { printable } from "./printable.ts";
import { createNotes, type Notes } from "./terminal.ts";

export interface Stdio {
  /** The real stdout. */
  readonly result: Writable;
  readonly notes: Notes;
  /** Whether stderr is a terminal. */
  readonly terminal: boolean;
  /** Resolves once everything is written, with what kept the result from that; a reader that left does not. */
  flush(): Promise<Error | undefined>;
}

type Write = (text: string, done?: (error?: Error | null) => void) => boolean;

/** Takes the two streams over for the rest of the process; from then on `process.stdout.write` and the console write to stderr. */
export function takeStdio(): Stdio {
  const { stdout, stderr } = process;
  const toStdout: typeof stdout.write = stdout.write.bind(stdout);
  const toStderr: typeof stderr.write = stderr.write.bind(stderr);
  const write: Write = (text, done) => toStderr(text, done);
  let failure: Error | undefined;
  // A reader that goes away early (a pager, `head`) is no failure of ours.
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") failure ??= error;
  };
  stdout.on("error", onError);
  stderr.on("error", () => undefined);
  stdout.write = plain(write);
  stderr.write = plain(write);
  const result = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void toStdout(chunk, done),
  });
  result.on("error", onError);
  return {
    result,
    notes: createNotes({ write, stream: stderr }),
    terminal: stderr.isTTY,
    async flush() {
      await new Promise<void>((resolve) => void result.write("", () => resolve()));
      await new Promise<void>((resolve) => void write("", () => resolve()));
      return failure;
    },
  };
}

/** A stream's `write` that lets only plain text through. */
function plain(write: Write): typeof process.stdout.write {
  const decoder = new StringDecoder("utf8");
  return (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    const named = typeof encoding === "string" && Buffer.isEncoding(encoding) ? encoding : "utf8";
    const text =
      typeof chunk !== "string"
        ? decoder.write(Buffer.from(chunk))
        : named === "utf8"
          ? chunk
          : Buffer.from(chunk, named).toString();
    const told = [encoding, done].find(isCallback);
    return write(printable(text), told);
  };
}

function isCallback(value: unknown): value is (error?: Error | null) => void {
  return typeof value === "function";
}
