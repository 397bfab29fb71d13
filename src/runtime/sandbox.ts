// The host's side of one sandbox process. Whatever it sends is hostile input; when it is silent for too long, too big or breaks the protocol it is killed.
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { lineReader } from "./lines.ts";
import { residentMb } from "./resident-memory.ts";
import type { ReadyMessage, StartMessage, TurnEnd } from "./protocol.ts";
import type { Isolation } from "./isolation.ts";
import { type Child, spawnChild } from "./spawn.ts";

export interface TurnReport {
  /** Processor time of the program so far. */
  readonly cpuMs: number;
  readonly end: TurnEnd;
  readonly lines: readonly string[];
}

export interface Gone {
  readonly code: "cpu_limit" | "memory_limit" | "output_limit" | "protocol_violation" | "sandbox_crashed";
  readonly message: string;
  /** It died before it took the program, which is then not the cause. */
  readonly untaken?: true;
}

export interface SandboxUser {
  onTurn(report: TurnReport): void;
  onGone(gone: Gone): void;
}

export interface SandboxOptions {
  readonly nodePath: string;
  readonly childPath: string;
  readonly memoryMb: number;
  readonly isolation?: Isolation | undefined;
}

export interface Sandbox extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Resolves once it is ready; rejects with `sandbox_unavailable`. */
  readonly ready: Promise<ReadyMessage>;
  readonly alive: boolean;
  /** Programs started and processor time used, over all of them. */
  readonly programs: number;
  readonly totalCpuMs: number;
  /** The program that it runs or ran last, `""` when it is fresh; and whether that computes just now. */
  readonly program: string;
  readonly computing: boolean;
  start(message: StartMessage, user: SandboxUser): void;
  /** `chargedMs`: the processor time that counts as used so far. */
  settle(lines: readonly string[], chargedMs: number): void;
  /** Makes a fresh isolate; `false` where the process had to be killed. */
  renew(): Promise<boolean>;
  kill(): void;
  readonly exited: Promise<void>;
}

/** Not determined by a background thread, so that numbers repeat; see docs/decisions. */
const flags = ["--no-warnings", "--no-turbofan", "--stack-size=984"];

/** Signals with which an engine ends itself, for want of memory as a rule. */
const outOfMemory = new Set(["SIGABRT", "SIGTRAP", "SIGILL"]);

export function openSandbox(options: SandboxOptions): Sandbox {
  const child: Child = spawnChild({
    nodePath: options.nodePath,
    script: options.childPath,
    args: [String(options.memoryMb)],
    flags,
    ulimits: { d: 1_700_000 + options.memoryMb * 2_048, t: 3_600 },
    // One that is killed while it starts may just have forked, and the new one not be tied to it yet.
    group: true,
    isolation: options.isolation,
  });
  const { pipe } = child;
  let alive = true;
  let user: SandboxUser | undefined;
  let reason: Gone | undefined;
  let program = "";
  let cpuLimitMs = 0;
  let usedMs = 0;
  let programs = 0;
  let totalCpuMs = 0;
  let computing = false;
  let taken = false;
  let turnTimer: NodeJS.Timeout | undefined;
  let memoryTimer: NodeJS.Timeout | undefined;
  let report: { cpuMs: number; end: TurnEnd; count: number; chars: number; lines: string[] } | undefined;
  let onReady: ((message: ReadyMessage) => void) | undefined;

  function kill(gone?: Gone): void {
    if (!alive) return;
    alive = false;
    reason = gone;
    clearTimers();
    // Somebody may wait for the room that it leaves: its end is worth staying alive for.
    child.process.ref();
    child.kill();
    if (gone !== undefined) tell(gone);
  }

  function tell(gone: Gone): void {
    const told = user;
    user = undefined;
    told?.onGone(gone);
  }

  function clearTimers(): void {
    clearTimeout(turnTimer);
    clearTimeout(memoryTimer);
  }

  function watch(): void {
    computing = true;
    const left = Math.max(0, cpuLimitMs - usedMs) + bounds.graceMs;
    turnTimer = setTimeout(
      () =>
        kill({
          code: "cpu_limit",
          message: `the program used up its ${cpuLimitMs} ms of processor time and could not be interrupted`,
        }),
      left,
    );
    memoryTimer = setTimeout(pollMemory, bounds.memoryPollMs);
  }

  function pollMemory(): void {
    const pid = child.nodePid();
    const resident = pid === undefined ? undefined : residentMb(pid);
    if (resident !== undefined && resident > options.memoryMb + bounds.memoryOverheadMb) {
      kill({ code: "memory_limit", message: `the program used more than its ${options.memoryMb} MB of memory` });
    } else if (resident !== undefined) {
      memoryTimer = setTimeout(pollMemory, bounds.memoryPollMs);
    }
  }

  function violation(what: string): void {
    kill({ code: "protocol_violation", message: `the sandbox process was ended because it sent ${what}` });
  }

  function flood(): void {
    kill({ code: "output_limit", message: `the sandbox process sent more than ${bounds.frameBytes} bytes at once` });
  }

  function onLine(line: string): void {
    if (!alive) return;
    if (report !== undefined) {
      report.lines.push(line);
      report.chars += line.length + 1;
      if (report.chars > bounds.frameBytes) return flood();
      if (report.lines.length === report.count) finishTurn();
      return;
    }
    if (!taken && user !== undefined && line === `B${program}`) {
      taken = true;
      return;
    }
    const head = /^O(\S{1,100}) (\d{1,15}) (\d{1,9}) (-|cpu|memory|lost|syntax)$/.exec(line);
    if (head !== null && head[1] === program && user !== undefined) {
      taken = true;
      report = { cpuMs: Number(head[2]) / 1_000, end: head[4] as TurnEnd, count: Number(head[3]), chars: 0, lines: [] };
      if (report.count === 0) finishTurn();
      return;
    }
    const ready = line[0] === "R" ? readReady(line.slice(1)) : undefined;
    if (ready === undefined || onReady === undefined) violation("a line that is no message");
    else {
      const told = onReady;
      onReady = undefined;
      told(ready);
    }
  }

  function finishTurn(): void {
    if (report === undefined) return;
    clearTimers();
    computing = false;
    const { cpuMs, end, lines } = report;
    const done: TurnReport = { cpuMs, end, lines };
    report = undefined;
    totalCpuMs += Math.max(0, done.cpuMs - usedMs);
    usedMs = done.cpuMs;
    user?.onTurn(done);
  }

  const reader = lineReader(bounds.frameBytes, onLine);
  pipe.on("data", (chunk: Buffer) => {
    if (alive && !reader.push(chunk)) flood();
  });

  let startError: Error | undefined;
  const exited = child.exit.then((end) => {
    startError = end.error;
    clearTimers();
    const wasAlive = alive;
    alive = false;
    if (wasAlive) {
      const memory = /out of memory|allocation failed|invalid size|bad_alloc/i.test(child.stderr());
      const how = end.signal ?? `exit code ${end.code ?? "unknown"}`;
      tell(
        memory || (end.signal !== null && outOfMemory.has(end.signal))
          ? { code: "memory_limit", message: `the program used more memory than its process may hold (${how})` }
          : {
              code: "sandbox_crashed",
              message: `the sandbox process died (${how})`,
              ...(taken ? {} : { untaken: true }),
            },
      );
    }
    return undefined;
  });

  const awaitReady = (ms: number): Promise<ReadyMessage> =>
    new Promise((resolve, reject) => {
      const fail = (): void => {
        clearTimeout(timer);
        reject(unavailable(child.stderr(), reason, startError));
      };
      const timer = setTimeout(() => kill(), ms);
      onReady = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
      void exited.then(fail);
    });

  function hold(busy: boolean): void {
    const handle = pipe as typeof pipe & { ref?(): void; unref?(): void };
    if (busy) {
      child.process.ref();
      handle.ref?.();
    } else if (alive) {
      child.process.unref();
      handle.unref?.();
    }
  }

  const ready = awaitReady(bounds.startMs).then((message) => {
    hold(false);
    return message;
  });
  // Whoever waits for it hears of a failure; nobody has to.
  ready.catch(() => undefined);

  return {
    pid: child.pid,
    ready,
    exited,
    get alive() {
      return alive;
    },
    get programs() {
      return programs;
    },
    get totalCpuMs() {
      return totalCpuMs;
    },
    get program() {
      return program;
    },
    get computing() {
      return computing;
    },
    start(message, taker) {
      if (!alive) {
        const dead: Gone = { code: "sandbox_crashed", message: "the sandbox process died", untaken: true };
        queueMicrotask(() => taker.onGone(dead));
        return;
      }
      hold(true);
      programs += 1;
      user = taker;
      taken = false;
      program = message.program;
      cpuLimitMs = message.cpuMs;
      usedMs = 0;
      watch();
      pipe.write(`P${JSON.stringify(message)}\n`);
    },
    settle(lines, chargedMs) {
      if (!alive) return;
      usedMs = chargedMs;
      watch();
      pipe.write(`D${program} ${lines.length} ${Math.floor(chargedMs * 1_000)}\n${lines.join("\n")}\n`);
    },
    async renew() {
      user = undefined;
      program = "";
      if (!alive) return false;
      const renewed = awaitReady(bounds.renewMs);
      pipe.write("N\n");
      try {
        await renewed;
        hold(false);
        return true;
      } catch {
        return false;
      }
    },
    kill: () => kill(),
    async [Symbol.asyncDispose]() {
      kill();
      hold(true);
      await exited;
    },
  };
}

function readReady(text: string): ReadyMessage | undefined {
  try {
    const message = JSON.parse(text) as Partial<ReadyMessage> | null;
    if (typeof message?.node !== "string" || typeof message.v8 !== "string" || typeof message.bootstrap !== "string")
      return undefined;
    return { node: message.node, v8: message.v8, bootstrap: message.bootstrap };
  } catch {
    return undefined;
  }
}

function unavailable(stderr: string, gone: Gone | undefined, error: Error | undefined): Fault {
  const said = stderr
    .split("\n")
    .map((line) => line.trim())
    .find((line) => /error/i.test(line));
  const why = gone?.message ?? error?.message ?? said ?? "it ended before it was ready";
  return new Fault("sandbox_unavailable", `no sandbox process could be started: ${why}`, {
    hint: "codecall needs Node 24 or newer and the package isolated-vm; `codecall doctor` shows what is missing",
  });
}
