// A store in one SQLite file. The file is used in a thread, started at the first use: the host's own never waits for the disk.
import { createRequire } from "node:module";
import { resolve as absolute } from "node:path";
import { Worker } from "node:worker_threads";
import { Fault, messageOf } from "../../errors.ts";
import { bounds } from "../../limits.ts";
import { checkOptions, checkText, describe } from "../../options.ts";
import type { SqliteAnswer, SqliteRequest, SqliteSettings, SqliteTask } from "./sqlite-messages.ts";
import { storeOver } from "./sql/over.ts";
import type { Store } from "./store.ts";

export interface SqliteOptions {
  /** The file, made where it is missing; its folder has to be there. */
  readonly path: string;
  /** `full` (the default) survives a loss of power; `normal` only the loss of the process, and is some ten times faster. */
  readonly synchronous?: "full" | "normal";
  /** How long a write waits for another process that holds the file, in ms; 5,000 unless given. */
  readonly busyMs?: number;
  /** The file of the thread, where it is not found from the package. */
  readonly workerPath?: string;
}

const known = { path: "text", synchronous: "text", busyMs: "anything", workerPath: "text" } as const;

interface Settle {
  readonly resolve: (value: unknown) => void;
  readonly reject: (fault: Fault) => void;
}

/** Throws `invalid_options`; what is wrong with the file itself rejects `ready()` and every use. */
export function sqliteStore(options: SqliteOptions): Store {
  const { workerPath, ...settings } = readOptions(options);
  const thread = createThread(workerPath, settings);
  return storeOver({
    ready: () => thread.ask({ kind: "ready" }) as Promise<void>,
    perform: (kind, ...given) => thread.ask({ kind, given } as unknown as SqliteTask) as Promise<never>,
    close: () => thread.close(),
  });
}

function readOptions(options: SqliteOptions): SqliteSettings & { readonly workerPath: string } {
  checkOptions("sqliteStore", options, known);
  const { path, synchronous = "full", busyMs = bounds.storeBusyMs, workerPath } = options;
  checkText("option path of sqliteStore", path);
  if (path.startsWith(":") || path.startsWith("file:")) {
    const message = `option path of sqliteStore must be the path of a file, got ${describe(path)}`;
    throw new Fault("invalid_options", message, { hint: "for a store in memory use memoryStore()" });
  }
  if (synchronous !== "full" && synchronous !== "normal") {
    const message = `option synchronous of sqliteStore must be "full" or "normal", got ${describe(synchronous)}`;
    throw new Fault("invalid_options", message);
  }
  if (!Number.isInteger(busyMs) || busyMs < 0 || busyMs > bounds.longestTimerMs) {
    throw new Fault("invalid_options", `option busyMs of sqliteStore must be a number of ms, got ${describe(busyMs)}`);
  }
  return { path: absolute(path), synchronous, busyMs, workerPath: workerPath ?? findWorker() };
}

function findWorker(): string {
  try {
    return createRequire(import.meta.url).resolve("codecall/store-worker");
  } catch (cause) {
    const message = "the file codecall/store-worker was not found from here; give its path as the option workerPath";
    throw new Fault("invalid_options", message, { cause });
  }
}

interface Thread {
  ask(task: SqliteTask): Promise<unknown>;
  close(): Promise<void>;
}

/** It holds the process up only while an answer is due; one that died is replaced at the next use. */
function createThread(file: string, settings: SqliteSettings): Thread {
  const waiting = new Map<number, Settle>();
  let worker: Worker | undefined;
  let count = 0;

  function start(): Worker {
    const started = new Worker(file, { name: "codecall-store", env: {}, execArgv: [], workerData: settings });
    started.on("message", (answers: readonly SqliteAnswer[]) => worker === started && answers.forEach(settle));
    started.on("error", (error: unknown) => worker === started && lose(messageOf(error)));
    started.on("exit", () => worker === started && lose("the thread ended"));
    return started;
  }

  function settle(answer: SqliteAnswer): void {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker?.unref();
    if ("fault" in answer) one?.reject(new Fault(answer.fault.code, answer.fault.message, answer.fault));
    else one?.resolve(answer.value);
  }

  function lose(why: string): void {
    worker = undefined;
    const message = `the thread of the store ${settings.path} was lost: ${why}`;
    const hint = "what was acknowledged is kept; load a run again before going on with it";
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { reject } of lost) {
      reject(new Fault("store_unavailable", message, { hint, details: { path: settings.path } }));
    }
  }

  function ask(task: SqliteTask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      try {
        worker ??= start();
        count += 1;
        waiting.set(count, { resolve, reject });
        worker.ref();
        worker.postMessage({ id: count, task } satisfies SqliteRequest);
      } catch (error) {
        waiting.delete(count);
        reject(new Fault("store_unavailable", `the store ${settings.path} has no thread: ${messageOf(error)}`));
      }
    });
  }

  return {
    ask,
    async close() {
      if (worker === undefined) return;
      try {
        await ask({ kind: "close" });
      } finally {
        const ended: Worker | undefined = worker;
        worker = undefined;
        await ended?.terminate();
      }
    },
  };
}
