// Speaks JSON-RPC with a server process over its stdin and stdout, and owns the process with everything it starts.
// The process leads a group of its own, so that a launcher (npx, a shell) leaves nothing behind.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { Stream } from "node:stream";
import { messageOf } from "../errors.ts";
import { parentDeathWrapper } from "../runtime/spawn.ts";
import { findCommand, serverEnvironment } from "./command.ts";
import { createGate } from "./gate.ts";
import { createInbox } from "./inbox.ts";

export interface StdioTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** The transport that the client of the MCP library drives; it sets the three callbacks. */
export interface StdioTransport {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown) => void) | undefined;
  /** Why the process is gone: how it ended or what it was ended for; undefined while it lives or when we closed it. */
  readonly ended: () => string | undefined;
  /** The end of what it wrote to stderr. */
  readonly lastWords: () => string;
  /** Keeps the host alive until `release`; without any hold the process and its pipes do not, and end with the host. */
  hold(): void;
  release(): void;
}

const stderrChars = 2_000;
/** How long a server has to leave after its stdin ended, and then after SIGTERM. */
const patienceMs = 500;

/** `onGone` is told once when the process is gone, before anything that waits for it; `isAnswer` as for the gate. */
export function stdioTransport(
  target: StdioTarget,
  onGone: () => void,
  isAnswer: (message: unknown) => boolean,
): StdioTransport {
  const gate = createGate(isAnswer, end);
  let child: ChildProcessWithoutNullStreams | undefined;
  let ended: string | undefined;
  let stderr = "";
  /** No more can be sent. */
  let closing = false;
  let holds = 0;
  let gone: Promise<void> = Promise.resolve();
  let finished: Promise<void> = gone;
  let delivered: Promise<void> = gone;

  const transport: StdioTransport = {
    start,
    send,
    close,
    hold,
    release,
    ended: () => ended,
    lastWords: () => stderr.trim(),
  };
  return transport;

  async function start(): Promise<void> {
    const cwd = target.cwd ?? process.cwd();
    const env = serverEnvironment(target.env);
    const file = findCommand(target.command, env, cwd);
    if (!existsSync(cwd)) ended = `its working folder "${cwd}" does not exist`;
    else if (file === undefined) ended = `the command "${target.command}" was not found`;
    if (file === undefined || ended !== undefined) throw new Error(ended);
    const wrapper = parentDeathWrapper;
    const command = [
      ...(wrapper === undefined ? [] : [wrapper, "--pdeathsig", "KILL", "--"]),
      file,
      ...(target.args ?? []),
    ];
    const launched = spawn(command[0] as string, command.slice(1), {
      cwd,
      env,
      stdio: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    if (!hasPipes(launched)) {
      // Without a descriptor to spare there is neither a process nor a pipe, only the error that is to come.
      const [error] = (await once(launched, "error")) as [Error];
      throw error;
    }
    const started = launched;
    child = started;
    settleHolds();
    const inbox = createInbox(gate, deliver, end);
    started.stdout.on("data", (chunk: Buffer) => inbox.push(chunk));
    // A server that stops talking is of no more use, even if its process stays.
    started.stdout.on("end", () => {
      void within(gone, patienceMs).then((left) => left || end("it closed its stdout"));
    });
    started.stdout.on("error", (error) => transport.onerror?.(error));
    started.stdin.on("error", (error) => transport.onerror?.(error));
    started.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-stderrChars);
    });
    started.stderr.on("error", (error) => transport.onerror?.(error));
    gone = new Promise((resolve) => {
      started.once("error", (error) => {
        ended ??= error.message;
        resolve();
      });
      started.once("exit", (code, signal) => {
        if (!closing) ended = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
        closing = true;
        killTree("SIGKILL");
        resolve();
      });
    });
    // After the exit the last of its output is still to be read; a grandchild that keeps a pipe open must not delay us.
    const drained = new Promise<void>((resolve) => started.once("close", () => resolve()));
    finished = finish(started, drained);
    await new Promise<void>((resolve, reject) => {
      started.once("spawn", () => resolve());
      started.once("error", reject);
    });
  }

  /** One message a microtask: what a progress notification leads to is done before the answer that came with it in one chunk. */
  function deliver(message: unknown): void {
    delivered = delivered
      .then(() => transport.onmessage?.(message))
      .catch((error: unknown) => transport.onerror?.(new Error(messageOf(error), { cause: error })));
  }

  async function finish(started: ChildProcessWithoutNullStreams, drained: Promise<void>): Promise<void> {
    await gone;
    await within(drained, patienceMs);
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy();
    onGone();
    transport.onclose?.();
  }

  function end(reason: string): void {
    if (closing) return;
    closing = true;
    ended = reason;
    killTree("SIGKILL");
  }

  function killTree(signal: NodeJS.Signals): void {
    const pid = child?.pid;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // nothing of the group is left
    }
  }

  function send(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      if (child === undefined || closing || !child.stdin.writable) {
        reject(new Error("the server is gone"));
        return;
      }
      gate.sent(message);
      child.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) void rejectOnceGone(error, reject);
        else resolve();
      });
    });
  }

  /** A server that ended is told by how it ended, which comes a moment later than the broken pipe. */
  async function rejectOnceGone(error: Error, reject: (error: Error) => void): Promise<void> {
    await within(gone, patienceMs);
    reject(error);
  }

  function hold(): void {
    holds += 1;
    settleHolds();
  }

  function release(): void {
    holds -= 1;
    settleHolds();
  }

  function settleHolds(): void {
    if (child === undefined) return;
    const handles = [child, ...[child.stdin, child.stdout, child.stderr].filter((stream) => stream instanceof Socket)];
    for (const handle of handles) {
      if (holds > 0) handle.ref();
      else handle.unref();
    }
  }

  async function close(): Promise<void> {
    closing = true;
    if (child === undefined) return;
    hold();
    child.stdin.end();
    if (!(await within(gone, patienceMs))) {
      killTree("SIGTERM");
      if (!(await within(gone, patienceMs))) killTree("SIGKILL");
    }
    await finished;
    release();
  }
}

function hasPipes(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return [child.stdin, child.stdout, child.stderr].every((stream) => stream instanceof Stream);
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const answer = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return answer;
}
