import { Socket } from "node:net";
import { bounds } from "../limits.ts";
import { type CompileAnswer, type CompileRequest, readCompilerLine } from "./compiler-protocol.ts";
import { lineReader } from "./lines.ts";
import { type Child, spawnChild } from "./spawn.ts";

export interface LinkOptions {
  readonly nodePath: string;
  readonly compilerPath: string;
  readonly onReady: () => void;
  readonly onAnswer: (answer: CompileAnswer) => void;
  /** Called once, when the process is gone; `why` says how, as far as is known. */
  readonly onEnd: (why: string) => void;
}

/** One compiler process. */
export interface Link {
  send(request: CompileRequest): void;
  /** Ends the process and with it esbuild's own. */
  kill(): void;
  /** A held link keeps the host alive. */
  hold(held: boolean): void;
  readonly ended: Promise<void>;
}

// CPU seconds of one process in its whole life: only a stray one gets there where no parent can end it.
const cpuSeconds = 900;
// The parser must get through `bounds.depth` levels before it is optimised, when its frames are largest.
const stackKb = 8_192;
// Trees of large texts live shortly: a larger nursery spares most of their collections.
const flags = ["--max-semi-space-size=64", ...(process.platform === "win32" ? [] : ["--stack-size=3900"])];

export function startLink(options: LinkOptions): Link {
  const child = spawnChild({
    nodePath: options.nodePath,
    script: options.compilerPath,
    flags,
    ulimits: { t: cpuSeconds, s: stackKb },
    group: true,
  });
  const reader = lineReader(bounds.frameBytes, (line) => {
    const read = readCompilerLine(line);
    if (read === "ready") options.onReady();
    else if (read !== undefined) options.onAnswer(read);
    else child.kill();
  });
  child.pipe.on("data", (chunk: Uint8Array) => {
    if (!reader.push(chunk)) child.kill();
  });
  // A process that died by itself leaves esbuild's behind for a moment.
  child.pipe.on("close", () => child.kill());
  const ended = tellEnd(child, options.onEnd);
  return {
    send: (request) => void child.pipe.write(`${JSON.stringify(request)}\n`),
    kill: () => child.kill(),
    hold(held) {
      const { process: handle, pipe } = child;
      if (held) handle.ref();
      else handle.unref();
      if (!(pipe instanceof Socket)) return;
      if (held) pipe.ref();
      else pipe.unref();
    },
    ended,
  };
}

async function tellEnd(child: Child, onEnd: LinkOptions["onEnd"]): Promise<void> {
  const { code, signal, error } = await child.exit;
  const told = child
    .stderr()
    .split("\n")
    .findLast((line) => /\b\w*Error\b.*:/.test(line));
  onEnd(error?.message ?? told ?? (signal === null ? `exit code ${code}` : `signal ${signal}`));
}
