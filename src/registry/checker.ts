// Checks away from the host's thread: one worker a process, started at the first need and ended when idle. It has one check at a
// time, so that the one which runs out of time is known; the others wait, and schemas take turns.
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { Fault, messageOf } from "../errors.ts";
import { bounds } from "../limits.ts";
import type { CheckAnswer, CheckRequest } from "./checker-messages.ts";
import type { SchemaForm } from "./verdict.ts";

/** How a check ended that has no verdict. */
export interface Unanswered {
  readonly expected: string;
}

export interface CheckerThread {
  /** Checks a value given as JSON text; rejects only with the signal's reason, or where no worker can be started. */
  check(form: SchemaForm, text: string, signal?: AbortSignal): Promise<CheckAnswer | Unanswered>;
}

interface Job {
  readonly form: SchemaForm;
  readonly text: string;
  readonly settle: (answer: CheckAnswer | Unanswered) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** The numbers of the schemas that it holds, the one used longest ago first. */
  readonly schemas: Map<SchemaForm, number>;
}

const checkers = new Map<string, CheckerThread>();

/** Where the worker's file is; throws `invalid_options` where it cannot be found. */
export function findCheckerFile(): string {
  try {
    return createRequire(import.meta.url).resolve("codecall/checker-worker");
  } catch (cause) {
    const message =
      "the file codecall/checker-worker was not found from here; give its path as the option checkerPath of createDeployment";
    throw new Fault("invalid_options", message, { cause });
  }
}

/** The process's checker that runs this file. */
export function checkerOf(path: string): CheckerThread {
  let checker = checkers.get(path);
  if (checker === undefined) checkers.set(path, (checker = createChecker({ path })));
  return checker;
}

export interface CheckerOptions {
  /** The worker's file. */
  readonly path: string;
  /** Time for one check; after so long without one the thread ends. */
  readonly timeoutMs?: number;
  readonly idleMs?: number;
  readonly heapMb?: number;
}

export function createChecker({
  path,
  timeoutMs = bounds.checkMs,
  idleMs = bounds.idleMs,
  heapMb = bounds.checkerHeapMb,
}: CheckerOptions): CheckerThread {
  const lanes = new Map<SchemaForm, Job[]>();
  let thread: Thread | undefined;
  let running: Job | undefined;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  /** The first job of the lane that has waited longest; the lane goes to the end. */
  function nextJob(): Job | undefined {
    const [lane] = lanes;
    if (lane === undefined) return undefined;
    const [form, jobs] = lane;
    const job = jobs.shift();
    lanes.delete(form);
    if (jobs.length > 0) lanes.set(form, jobs);
    return job;
  }

  function drop(job: Job): void {
    const left = lanes.get(job.form)?.filter((other) => other !== job) ?? [];
    if (left.length > 0) lanes.set(job.form, left);
    else lanes.delete(job.form);
  }

  function start(): Thread {
    const worker = new Worker(path, {
      name: "codecall-checker",
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const made: Thread = { worker, schemas: new Map() };
    worker.on("online", () => thread === made && running !== undefined && limitTime());
    worker.on("message", (answer: CheckAnswer) => thread === made && end((job) => job.settle(answer)));
    worker.on("error", (error: unknown) => thread === made && fail(error));
    worker.on("exit", () => thread === made && fail(new Error("the thread ended")));
    return made;
  }

  /** Sends the next job; without one the thread may hold the process up no longer, and ends in a while. */
  function advance(): void {
    if (running !== undefined) return;
    clearTimeout(timer);
    running = nextJob();
    if (running === undefined) {
      thread?.worker.unref();
      timer = setTimeout(stop, idleMs).unref();
      return;
    }
    const isFresh = thread === undefined;
    try {
      thread ??= start();
    } catch (error) {
      return end((job) => job.reject(error));
    }
    thread.worker.ref();
    thread.worker.postMessage(requestOf(running, thread.schemas));
    if (!isFresh) limitTime();
  }

  function requestOf({ form, text }: Job, schemas: Map<SchemaForm, number>): CheckRequest {
    const known = schemas.get(form);
    if (known !== undefined) {
      schemas.delete(form);
      schemas.set(form, known);
      return { schema: known, text };
    }
    const oldest = schemas.size < bounds.checkerSchemas ? undefined : schemas.entries().next().value;
    if (oldest !== undefined) schemas.delete(oldest[0]);
    count += 1;
    schemas.set(form, count);
    return { schema: count, form, text, ...(oldest === undefined ? {} : { forget: oldest[1] }) };
  }

  function limitTime(): void {
    timer = setTimeout(() => {
      stop();
      end((job) => job.settle({ expected: `a value that can be checked within ${timeoutMs} ms` }));
    }, timeoutMs);
  }

  function end(tell: (job: Job) => void): void {
    clearTimeout(timer);
    const job = running;
    running = undefined;
    if (job !== undefined) tell(job);
    advance();
  }

  /** What ended by itself: out of memory at a value, or for good. */
  function fail(error: unknown): void {
    stop();
    const isMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    end((job) =>
      isMemory
        ? job.settle({ expected: `a value that can be checked in ${heapMb} MB` })
        : job.reject(new Error(`the checker failed: ${messageOf(error)}`, { cause: error })),
    );
  }

  function stop(): void {
    const ended = thread;
    thread = undefined;
    void ended?.worker.terminate();
  }

  return {
    check: (form, text, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          drop(job);
          reject(signal?.reason as Error);
        };
        const done =
          <T>(tell: (given: T) => void) =>
          (given: T): void => {
            signal?.removeEventListener("abort", leave);
            tell(given);
          };
        const job: Job = { form, text, settle: done(resolve), reject: done(reject) };
        if (signal?.aborted === true) return reject(signal.reason as Error);
        signal?.addEventListener("abort", leave, { once: true });
        const lane = lanes.get(form);
        if (lane === undefined) lanes.set(form, [job]);
        else lane.push(job);
        advance();
        return undefined;
      }),
  };
}
