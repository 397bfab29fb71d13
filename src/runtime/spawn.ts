// Starts a Node process that is cut off from the host (no environment, no working folder, one pipe) and dies with it.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Duplex, PassThrough, type Readable } from "node:stream";

export interface SpawnOptions {
  readonly nodePath: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  /** `ulimit` settings by their letter, e.g. `{ d: 1_800_000 }` (KB); Linux and macOS only. */
  readonly ulimits?: Readonly<Record<string, number>>;
  /** Gives the child a process group of its own, so that `kill` reaches what it started too; not on Windows. */
  readonly group?: boolean;
}

export interface Child {
  /** Whether it keeps the host alive. */
  readonly process: { ref(): void; unref(): void };
  /** The one pipe, file descriptor 3 in the child. */
  readonly pipe: Duplex;
  /** The end of what the child wrote to its standard error. */
  stderr(): string;
  readonly pid: number | undefined;
  kill(): void;
  /** Settles once with how the process ended, a failed start included. */
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null; readonly error?: Error }>;
}

const stderrChars = 4_096;
const posix = process.platform !== "win32";

function findInPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** The program that ties a child's life to its parent's, where the system has it. */
export const parentDeathWrapper: string | undefined = process.platform === "linux" ? findInPath("setpriv") : undefined;

export function spawnChild(options: SpawnOptions): Child {
  const node = [options.nodePath, ...(options.flags ?? []), options.script, ...(options.args ?? [])];
  const command =
    parentDeathWrapper === undefined
      ? node
      : [parentDeathWrapper, "--pdeathsig", "KILL", "--no-new-privs", "--", ...node];
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
  return { process: child, pipe, stderr: () => tail, pid: child.pid, kill, exit: started.exit };
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
    const exit = new Promise<Awaited<Child["exit"]>>((resolve) => {
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
    kill: () => undefined,
    exit: Promise.resolve({ code: null, signal: null, error: reason }),
  };
}
