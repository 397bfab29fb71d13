import { createReadStream, open, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { Fault, messageOf } from "../errors.ts";
import { within } from "../within.ts";

export interface ProgramText {
  readonly text: string;
  /** Whether there is more than was read: one byte over the limit. */
  readonly isCut: boolean;
}

/** Reads a program from a file or, for `-`, from stdin, and no more of it than tells that it is too long. */
export async function readProgram(file: string, limitBytes: number, signal: AbortSignal): Promise<ProgramText> {
  try {
    return await within(readStart(file, limitBytes, signal), { signal });
  } catch (error) {
    signal.throwIfAborted();
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const what = missing ? "there is no such file" : `the file cannot be read: ${messageOf(error)}`;
    throw new Fault("invalid_options", `${file}: ${what}`, {
      hint: "name the file of the program, or - to read it from stdin",
    });
  }
}

async function readStart(file: string, limitBytes: number, signal: AbortSignal): Promise<ProgramText> {
  const stream = await openStream(file, limitBytes, signal);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) break;
  }
  return {
    text: Buffer.concat(chunks)
      .subarray(0, limitBytes + 1)
      .toString(),
    isCut: bytes > limitBytes,
  };
}

async function openStream(file: string, limitBytes: number, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
  if (file === "-") return process.stdin;
  if (!statSync(file).isFIFO()) return createReadStream(file, { end: limitBytes });
  // A file's open and read that block keep the process from ending: a writer frees the one, a socket spares the other.
  const free = (): void => {
    try {
      openSync(file, "r+");
    } catch {
      // a pipe that we may not write to stays as it is
    }
  };
  signal.addEventListener("abort", free, { once: true });
  const fd = await promisify(open)(file, "r");
  signal.removeEventListener("abort", free);
  return new Socket({ fd, readable: true, writable: false });
}
