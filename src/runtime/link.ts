import { Socket } from "node:net";
import { bounds } from "../limits.ts";
import type { Isolation } from "./isolation.ts";
import { lineReader } from "./lines.ts";
import { type Child, spawnChild } from "./spawn.ts";

export interface LinkOptions<Answer> {
  readonly nodePath: string;
  readonly script: string;
  readonly flags: readonly string[];
  /** As `SpawnOptions` has them. */
  readonly ulimits: Readonly<Record<string, number>>;
  readonly isolation?: Isolation | undefined;
  readonly seesProcesses?: boolean | undefined;
  /** Reads a line of the process; `undefined` where it is none of the known shapes, which ends the process. */
  readonly read: (line: string) => Answer | "ready" | undefined;
  readonly onReady: () => void;
  readonly onAnswer: (answer: Answer) => void;
  /** Called once, when the process is gone; `why` says how, as far as is known. */
  readonly onEnd: (why: string) => void;
}

/** One process that answers requests, one JSON line each way. */
export interface Link {
  send(request: object): void;
  /** Ends the process and what it started. */
  kill(): void;
  /** A held link keeps the host alive. */
  hold(held: boolean): void;
  readonly ended: Promise<void>;
}

export function startLink<Answer>(options: LinkOptions<Answer>): Link {
  const { nodePath, script, flags, ulimits, isolation, seesProcesses } = options;
  const child = spawnChild({ nodePath, script, flags, ulimits, group: true, isolation, seesProcesses });
  const reader = lineReader(bounds.frameBytes, (line) => {
    const read = options.read(line);
    if (read === "ready") options.onReady();
    else if (read !== undefined) options.onAnswer(read);
    else child.kill();
  });
  child.pipe.on("data", (chunk: Uint8Array) => {
    if (!reader.push(chunk)) child.kill();
  });
  // A process that died by itself leaves those it started behind for a moment.
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

async function tellEnd(child: Child, onEnd: (why: string) => void): Promise<void> {
  const { code, signal, error } = await child.exit;
  const told = child
    .stderr()
    .split("\n")
    .findLast((line) => /\b\w*Error\b.*:/.test(line));
  onEnd(error?.message ?? told ?? (signal === null ? `exit code ${code}` : `signal ${signal}`));
}
