// Starts a Node process that is cut off from the host (no environment, no working folder, one pipe) and dies with it.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Duplex, Readable } from "node:stream";

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
  readonly process: ChildProcess;
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
  const posix = process.platform !== "win32";
  const limits = Object.entries({ c: 0, ...options.ulimits }).map(
    ([letter, value]) => `ulimit -${letter} ${value} 2>/dev/null;`,
  );
  const [file, args] = posix
    ? ["/bin/sh", ["-c", `${limits.join("")}unset PWD OLDPWD;exec "$@"`, "sh", ...command]]
    : [command[0] as string, command.slice(1)];
  const child = spawn(file, args, {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: { TZ: "UTC", LC_ALL: "en_US.UTF-8" },
    cwd: posix ? "/" : undefined,
    detached: posix && options.group === true,
    windowsHide: true,
  });
  const pipe = child.stdio[3] as Duplex;
  // A broken pipe is told by `exit`.
  pipe.on("error", () => undefined);
  let tail = "";
  const stderr = child.stderr as Readable & { ref?(): void; unref?(): void };
  stderr.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString("latin1")).slice(-stderrChars);
  });
  stderr.on("error", () => undefined);
  stderr.unref?.();
  // What is left of it is waited for.
  child.once("exit", () => stderr.ref?.());
  const exit = new Promise<Awaited<Child["exit"]>>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, error }));
    // `close` comes after what was written to standard error, but waits for everyone who holds the pipe.
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
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
  return { process: child, pipe, stderr: () => tail, pid: child.pid, kill, exit };
}
