import { randomUUID } from "node:crypto";
import { createMemoryJournal, type Journal } from "../bridge/journal.ts";
import { createStoreJournal } from "../bridge/store-journal.ts";
import type { Store } from "../bridge/stores/store.ts";
import { type Code, Fault } from "../errors.ts";
import { bounds, type Limits, readLimits } from "../limits.ts";
import { checkOptions, describe } from "../options.ts";
import { type CheckMode, readCheck } from "./check/mode.ts";
import { createTypeChecker, type TypeChecker } from "./check/type-checker.ts";
import { type Compiler, createCompiler } from "./compiler.ts";
import { createCrowd, type Crowd } from "./crowd.ts";
import { defaultNode, processFile, typecheckFile } from "./files.ts";
import { type Isolation, isolationsFor } from "./isolation.ts";
import { createPool, type Pool } from "./pool.ts";
import { type ResumeRequest, resumeProgram } from "./resume.ts";
import { type ProgramRequest, runProgram } from "./run.ts";
import type { RunResult } from "./result.ts";

export interface RuntimeOptions {
  readonly limits?: Partial<Limits>;
  readonly processes?: {
    /** Spare sandbox processes kept ready; 2 unless given. */
    readonly warm?: number;
    /** Sandbox processes at most; 32 unless given. */
    readonly max?: number;
    /** Programs of one tenant that may wait for one; 1,000 unless given. */
    readonly queue?: number;
  };
  /** The Node binary (24 or newer) that sandbox processes run on, where the host itself is none. */
  readonly nodePath?: string;
  /** Where `dist/sandbox.js` of this package is, for a host that was bundled away from it. */
  readonly childPath?: string;
  /** Where `dist/compiler.js` of this package is, likewise. */
  readonly compilerPath?: string;
  /** Where `dist/typecheck.js` of this package is, likewise. */
  readonly typecheckPath?: string;
  /**
   * What is done where the type check before a run finds something that is surely wrong: `"refuse"`, the default, runs
   * nothing, `"warn"` runs it with a warning, `"off"` checks nothing. Where TypeScript is not installed nothing is checked.
   */
  readonly check?: CheckMode;
  /**
   * How sandbox and compiler processes are cut off from this one: `"best"`, the default, with every layer that works here,
   * `"required"` with all that Linux has or not at all.
   */
  readonly isolation?: "required" | "best";
  /** Where runs are kept, so that they can go on after this process; they are kept in memory, for their turn, unless given. */
  readonly store?: Store;
  /** How long a run in the store stays this process's without a sign of life, in ms; 30,000 unless given. */
  readonly claimMs?: number;
  /** How long a suspended run waits for its answers, in ms; seven days unless given. */
  readonly suspendedMs?: number;
}

/** What runs programs: a pool of sandbox processes and a compiler. Dispose it to leave no process behind. */
export interface Runtime extends AsyncDisposable {
  readonly limits: Limits;
  /** Aborted when the runtime closes. */
  readonly signal: AbortSignal;
  /** Sandbox processes alive. */
  readonly processes: number;
  /** Signals and settles what is in flight and ends every process; harmless twice. */
  close(): Promise<void>;
}

/** What only turns may ask of a runtime; kept apart, so that it is no part of the public face. */
const executors = new WeakMap<Runtime, Executor>();

interface Executor {
  run(request: ProgramRequest): Promise<RunResult>;
  resume(request: ResumeRequest): Promise<RunResult>;
  readonly journal: Journal;
  readonly store: Store | undefined;
}

/** Runs a program whose calls somebody else takes; rejects with `runtime_closed`, or `invalid_options` for what is no runtime. */
export async function execute(runtime: Runtime, request: ProgramRequest): Promise<RunResult> {
  return executorOf(runtime).run(request);
}

/** Goes on with a program of a log that this process has taken over; rejects likewise. */
export const executeResumed = async (runtime: Runtime, request: ResumeRequest): Promise<RunResult> =>
  executorOf(runtime).resume(request);

/** Where what runs in a runtime is written down. */
export const journalOf = (runtime: Runtime): Journal => executorOf(runtime).journal;

/** What outlives the process is kept there; `undefined` where nothing does. */
export const storeOf = (runtime: Runtime): Store | undefined => executorOf(runtime).store;

function executorOf(runtime: Runtime): Executor {
  const executor = executors.get(runtime);
  if (executor === undefined) throw new Fault("invalid_options", "the runtime was not made by createRuntime");
  return executor;
}

/** Why programs cannot run in what was given as a runtime, said of it; undefined where they can. */
export function whyUnfit(given: unknown): string | undefined {
  if (given instanceof Promise) return "is a promise, which has to be awaited first";
  if (typeof given !== "object" || given === null || !executors.has(given as Runtime))
    return `was not made by createRuntime; it is ${describe(given)}`;
  return (given as Runtime).signal.aborted ? "is closed" : undefined;
}

function count(name: string, value: unknown, min: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min) {
    throw new Fault("invalid_options", `${name} must be an integer of at least ${min}, got ${describe(value)}`);
  }
  return value;
}

function journalFor({ store, claimMs = bounds.claimMs, suspendedMs = bounds.suspendedMs }: RuntimeOptions): Journal {
  if (store === undefined) return createMemoryJournal();
  for (const method of ["create", "append", "load", "claim"] as const) {
    if (typeof store[method] !== "function")
      throw new Fault("invalid_options", `store of createRuntime is no store: it has no ${method}()`, {
        hint: "memoryStore() and sqliteStore({ path }) make stores",
      });
  }
  return createStoreJournal({
    store,
    owner: `${process.pid}-${randomUUID()}`,
    claimMs: count("claimMs of createRuntime", claimMs, 10),
    suspendedMs: count("suspendedMs of createRuntime", suspendedMs, 1),
  });
}

function readMode(mode: unknown): "required" | "best" {
  if (mode === "required" || mode === "best") return mode;
  throw new Fault("invalid_options", `isolation must be "required" or "best", got ${describe(mode)}`);
}

/** Starts the sandbox processes; rejects with `invalid_options` or `sandbox_unavailable`. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const [major = "0"] = process.versions.node.split(".");
  if (Number(major) < 24) {
    throw new Fault("sandbox_unavailable", `codecall needs Node 24 or newer, and this is ${process.version}`);
  }
  checkOptions("createRuntime", options, {
    limits: "object",
    processes: "object",
    nodePath: "text",
    childPath: "text",
    compilerPath: "text",
    typecheckPath: "text",
    check: "text",
    isolation: "text",
    store: "object",
    claimMs: "anything",
    suspendedMs: "anything",
  });
  const mode = readMode(options.isolation ?? "best");
  checkOptions("processes", options.processes, { warm: "anything", max: "anything", queue: "anything" });
  const check = readCheck("option check of createRuntime", options.check ?? "refuse");
  const limits = readLimits(options.limits);
  const warm = count("processes.warm", options.processes?.warm ?? 2, 0);
  const max = count("processes.max", options.processes?.max ?? Math.max(32, warm), Math.max(1, warm));
  const queue = count("processes.queue", options.processes?.queue ?? 1_000, 0);
  const nodePath = options.nodePath ?? defaultNode();
  const childPath = options.childPath ?? processFile("sandbox-process", "childPath");
  const compilerPath = options.compilerPath ?? processFile("compiler-process", "compilerPath");
  const typecheckPath = options.typecheckPath ?? typecheckFile();
  const journal = journalFor(options);
  const scripts = [childPath, compilerPath, ...(typecheckPath === undefined ? [] : [typecheckPath])];
  const isolations = await isolationsFor(mode, { nodePath, scripts });
  return firstToStart(isolations, (isolation) => {
    const timeoutMs = bounds.compileMs;
    const compiler = createCompiler({ nodePath, compilerPath, sourceBytes: limits.sourceBytes, timeoutMs, isolation });
    const pool = createPool({ nodePath, childPath, memoryMb: limits.memoryMb, warm, max, queue, isolation });
    const typeChecker = createTypeChecker({ nodePath, typecheckPath, timeoutMs: bounds.typecheckMs, isolation });
    if (check !== "off") typeChecker.start();
    return { limits, pool, compiler, typeChecker, check, crowd: createCrowd(), journal, store: options.store };
  });
}

/** Tries the next where one does not start: layers may work and still keep from a child what it needs. */
async function firstToStart(isolations: readonly Isolation[], open: (isolation: Isolation) => Parts): Promise<Runtime> {
  const until = performance.now() + bounds.startMs;
  let failure: unknown;
  for (const isolation of isolations) {
    if (performance.now() >= until) break;
    try {
      return await startRuntime(open(isolation));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** The type checker goes on starting: a run waits for it no longer than for any check. */
async function startRuntime(parts: Parts): Promise<Runtime> {
  const runtime = openRuntime(parts);
  try {
    await parts.pool.ready;
    await parts.compiler.ready;
  } catch (error) {
    await runtime.close();
    throw error;
  }
  return runtime;
}

interface Parts {
  readonly limits: Limits;
  readonly pool: Pool;
  readonly compiler: Compiler;
  readonly typeChecker: TypeChecker;
  readonly check: CheckMode;
  readonly crowd: Crowd;
  readonly journal: Journal;
  readonly store: Store | undefined;
}

function openRuntime(parts: Parts): Runtime {
  const { limits, pool, compiler, typeChecker } = parts;
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    const code: Code = "runtime_closed";
    controller.abort(new Fault(code, "the runtime was closed"));
    await Promise.allSettled(running);
    await Promise.all([pool[Symbol.asyncDispose](), compiler.close(), typeChecker.close()]);
  }

  const runtime: Runtime = {
    limits,
    signal: controller.signal,
    get processes() {
      return pool.size;
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
  async function within(start: () => Promise<RunResult>): Promise<RunResult> {
    if (closing !== undefined) {
      throw new Fault("runtime_closed", "the runtime is closed; create another one to run programs");
    }
    const run = start();
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  }

  executors.set(runtime, {
    run: (request) => within(() => runProgram(parts, request)),
    resume: (request) => within(() => resumeProgram(parts, request)),
    journal: parts.journal,
    store: parts.store?.isDurable === true ? parts.store : undefined,
  });
  return runtime;
}
