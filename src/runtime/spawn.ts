// Starts a Node process that is cut off from the host (no environment, no working folder, one pipe) and dies with it.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { Duplex, PassThrough, type Readable } from "node:stream";
import { findExecutable } from "./executables.ts";
import type { Isolation } from "./isolation.ts";

export interface SpawnOptions {
  readonly nodePath: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  /** `ulimit` settings by their letter, e.g. `{ d: 1_800_000 }` (KB); Linux and macOS only. */
  readonly ulimits?: Readonly<Record<string, number>>;
  /** Gives the child a process group of its own, so that `kill` reaches what it started too; not on Windows. */
  readonly group?: boolean;
  /** What is put around the child; where nothing is said, it ends with its host if the system has a way. */
  readonly isolation?: Isolation | undefined;
  /** Whether the child needs `/proc`, with its own processes. */
  readonly seesProcesses?: boolean | undefined;
}

export interface Child {
  /** Whether it keeps the host alive. */
  readonly process: { ref(): void; unref(): void };
  /** The one pipe, file descriptor 3 in the child. */
  readonly pipe: Duplex;
  /** The end of what the child wrote to its standard error. */
  stderr(): string;
  readonly pid: number | undefined;
  /** The process that Node runs in: `pid`, or the one below it; `undefined` where there is none yet or any more. */
  nodePid(): number | undefined;
  kill(): void;
  /** Settles once with how the process ended, a failed start included. */
  readonly exit: Promise<Ended>;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: Error;
}

const stderrChars = 4_096;
const posix = process.platform !== "win32";

/** The program that ties a child's life to its parent's, where the system has it. */
export const parentDeathWrapper: string | undefined =
  process.platform === "linux" ? findExecutable("setpriv") : undefined;

const tie: Isolation = {
  above: 0,
  wrap: (command) =>
    parentDeathWrapper === undefined
      ? command
      : [parentDeathWrapper, "--pdeathsig", "KILL", "--no-new-privs", "--", ...command],
};

export function spawnChild(options: SpawnOptions): Child {
  const isolation = options.isolation ?? tie;
  const node = [options.nodePath, ...(options.flags ?? []), options.script, ...(options.args ?? [])];
  const command = isolation.wrap(node, options.seesProcesses === true);
  const limits = Object.entries({ c: 0, ...options.ulimits }).map(
    ([letter, value]) => `ulimit -${letter} ${value} 2>/dev/null;`,
  );
  const [file, args] = posix
    ? ["/bin/sh", ["-c", `${limits.join("")}unset PWD OLDPWD;exec "$@"`, "sh", ...command]]
    : [command[0] as string, command.slice(1)];
  const started = start(file, args, options.group === true);
  if (started instanceof Error) return neverStarted(started);
  const { child, pipe, stderr } = started;
  // A broken pipe is told by `exit`.
  pipe.on("error", () => undefined);
  let tail = "";
  stderr.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString("latin1")).slice(-stderrChars);
  });
  stderr.on("error", () => undefined);
  stderr.unref?.();
  // What is left of it is waited for.
  child.once("exit", () => stderr.ref?.());
  const kill = (): void => {
    if (!posix || options.group !== true || child.pid === undefined) {
      child.kill("SIGKILL");
      return;
    }
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // nothing of the group is left
    }
  };
  let nodePid: number | undefined;
  return {
    process: child,
    pipe,
    stderr: () => tail,
    pid: child.pid,
    nodePid: () => (nodePid ??= descend(child.pid, isolation.above)),
    kill,
    exit: isolation.above === 0 ? started.exit : started.exit.then(asItself),
  };
}

function descend(pid: number | undefined, levels: number): number | undefined {
  return levels === 0 || pid === undefined ? pid : descend(childOf(pid), levels - 1);
}

/** How the child ended, where the process above it could only tell a code. */
function asItself(end: Ended): Ended {
  const signal = Object.entries(constants.signals).find(([, number]) => end.code === 128 + number)?.[0];
  return signal === undefined ? end : { ...end, code: null, signal };
}

function childOf(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ");
    return first === undefined || first === "" ? undefined : Number(first);
  } catch {
    return undefined;
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly pipe: Duplex;
  readonly stderr: Readable & { ref?(): void; unref?(): void };
  readonly exit: Child["exit"];
}

/** Where no process can be made at all, some systems tell it by a throw and some by a child without streams. */
function start(file: string, args: readonly string[], group: boolean): Started | Error {
  try {
    const child = spawn(file, args, {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      env: { TZ: "UTC", LC_ALL: "en_US.UTF-8" },
      cwd: posix ? "/" : undefined,
      detached: posix && group,
      windowsHide: true,
    });
    const exit = new Promise<Ended>((resolve) => {
      child.once("error", (error) => resolve({ code: null, signal: null, error }));
      // `close` comes after what was written to standard error, but waits for everyone who holds the pipe.
      child.once("close", (code, signal) => resolve({ code, signal }));
    });
    const pipe = child.stdio?.[3];
    if (!(pipe instanceof Duplex) || child.stderr === null || child.stderr === undefined) {
      return new Error("no process could be made");
    }
    return { child, pipe, stderr: child.stderr, exit };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function neverStarted(reason: Error): Child {
  const pipe = new PassThrough();
  pipe.destroy();
  return {
    process: { ref: () => undefined, unref: () => undefined },
    pipe,
    stderr: () => "",
    pid: undefined,
    nodePid: () => undefined,
    kill: () => undefined,
    exit: Promise.resolve({ code: null, signal: null, error: reason }),
  };
}
