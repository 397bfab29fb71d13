import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { descendants } from "../memory.ts";
import type { Reply, Request } from "./host.ts";
import type { SystemName } from "./system.ts";

export interface Host {
  /** What it answered, or in a few words what became of it; after the latter it is of no use. */
  ask(request: Request, deadlineMs: number): Promise<Reply | string>;
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("./host.ts", import.meta.url));

/** Starts a process that embeds the system; it queues what it is asked before it is ready. */
export function startHost(name: SystemName, others: number, timeoutMs: number): Host {
  const child = fork(script, [name, String(others), String(timeoutMs)], {
    // isolated-vm 6 asks for it; the others do not mind.
    execArgv: ["--no-node-snapshot", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2_000);
  });
  const exit = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      const reason = stderr.split("\n").findLast((line) => /error|fatal/i.test(line));
      resolve(`host process ends (${signal ?? `code ${code}`})${reason === undefined ? "" : `: ${reason.trim()}`}`);
    });
  });
  return {
    async ask(request, deadlineMs) {
      const { promise, resolve } = Promise.withResolvers<Reply | string>();
      const timer = setTimeout(resolve, deadlineMs, `hangs (over ${deadlineMs / 1_000} s)`);
      child.once("message", resolve);
      if (child.connected) child.send(request, () => undefined);
      const answer = await Promise.race([promise, exit]);
      clearTimeout(timer);
      child.off("message", resolve);
      return answer;
    },
    async stop() {
      kill(child);
      await exit;
    },
  };
}

/** Also what hangs below it, where that can be told. */
function kill(child: ChildProcess): void {
  const below = process.platform === "linux" && child.pid !== undefined ? descendants(child.pid) : [];
  child.kill("SIGKILL");
  for (const pid of below) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // it went with its parent
    }
  }
}
