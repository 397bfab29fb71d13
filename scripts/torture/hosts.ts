// Starts hosts, and kills them and what they started.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { descendants } from "../../bench/memory.ts";
import type { Random } from "./random.ts";
import type { Ended, Word } from "./words.ts";

export interface Heard {
  /** Each telling of how a run ended. */
  readonly ended: Ended[];
  readonly wrong: string[];
}

export interface Host {
  /** Resolves once it works; where it ends before, too. */
  readonly up: Promise<void>;
  readonly drained: Promise<boolean>;
  stop(): void;
  goOn(): void;
  /** Kills one of its sandbox processes; says whether there was one. */
  killSandbox(random: Random): boolean;
  /** Resolves once it and all that it had started are gone. */
  kill(): Promise<void>;
  /** Resolves likewise where it ends by itself. */
  gone(): Promise<void>;
}

const file = join(import.meta.dirname, "host.ts");
const goneMs = 10_000;

export function startHost(args: readonly string[], heard: Heard): Host {
  const child: ChildProcess = spawn(process.execPath, ["--no-warnings", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = child.pid ?? 0;
  let isUp = false;
  const up = Promise.withResolvers<void>();
  const drained = Promise.withResolvers<boolean>();
  const ended = once(child, "close").then(() => {
    up.resolve();
    drained.resolve(false);
    return undefined;
  });
  if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", (line) => hear(line));

  function hear(line: string): void {
    const word = read(line);
    if (word === undefined) return;
    if (word.kind === "up") {
      isUp = true;
      up.resolve();
    } else if (word.kind === "drained") drained.resolve(true);
    else if (word.kind === "wrong") heard.wrong.push(word.what);
    else heard.ended.push(word);
  }

  async function gone(below: readonly Below[] = []): Promise<void> {
    await ended;
    for (const until = Date.now() + goneMs; below.some(isThere); await sleep(5)) {
      if (Date.now() < until) continue;
      heard.wrong.push(
        `processes of a host that is gone are still there: ${below.filter(isThere).map(named).join(", ")}`,
      );
      return;
    }
  }

  return {
    up: up.promise,
    drained: drained.promise,
    stop: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    killSandbox(random) {
      // A runtime that loses one while it starts does not start.
      if (!isUp) return false;
      const sandboxes = belowOf(pid).filter(({ command }) => command.includes("sandbox"));
      const one = sandboxes[random(sandboxes.length)];
      return one !== undefined && isThere(one) && process.kill(one.pid, "SIGKILL");
    },
    kill() {
      const below = belowOf(pid);
      child.kill("SIGKILL");
      return gone(below);
    },
    gone: () => gone(belowOf(pid)),
  };
}

/** What a host that was killed had half said is nothing. */
function read(line: string): Word | undefined {
  try {
    return JSON.parse(line) as Word;
  } catch {
    return undefined;
  }
}

/** A process, known from others of the same number by its start. */
interface Below {
  readonly pid: number;
  readonly start: string;
  readonly command: string;
}

const named = ({ pid, command }: Below): string => `${pid} ${command}`;

const belowOf = (pid: number): readonly Below[] =>
  descendants(pid).flatMap((one) => {
    const start = startOf(one);
    return start === undefined ? [] : [{ pid: one, start, command: commandOf(one) }];
  });

const isThere = ({ pid, start }: Below): boolean => startOf(pid) === start;

/** In ticks since the machine started; absent of one that is gone, or has ended and waits to be collected. */
function startOf(pid: number): string | undefined {
  const stat = readProc(pid, "stat");
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" || state === "Z" ? undefined : fields[18];
}

const commandOf = (pid: number): string => readProc(pid, "cmdline").replaceAll("\0", " ").trim();

function readProc(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return "";
  }
}
