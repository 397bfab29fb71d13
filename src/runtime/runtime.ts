import { createRequire } from "node:module";
import { type Code, Fault } from "../errors.ts";
import { bounds, type Limits, readLimits } from "../limits.ts";
import { checkOptions, describe } from "../options.ts";
import { type Compiler, createCompiler } from "./compiler.ts";
import { createPool, type Pool } from "./pool.ts";
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
const executors = new WeakMap<Runtime, (request: ProgramRequest) => Promise<RunResult>>();

/** Runs a program whose calls somebody else takes; rejects with `runtime_closed`, or `invalid_options` for what is no runtime. */
export async function execute(runtime: Runtime, request: ProgramRequest): Promise<RunResult> {
  const run = executors.get(runtime);
  if (run === undefined) throw new Fault("invalid_options", "the runtime was not made by createRuntime");
  return run(request);
}

function count(name: string, value: unknown, min: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min) {
    throw new Fault(
      "invalid_options",
      `processes.${name} must be an integer of at least ${min}, got ${describe(value)}`,
    );
  }
  return value;
}

/** A file of this package that runs in a process of its own. */
function processFile(entry: string, option: string): string {
  try {
    return createRequire(import.meta.url).resolve(`codecall/${entry}`);
  } catch (cause) {
    throw new Fault(
      "invalid_options",
      `the file codecall/${entry} was not found from here; give its path as the option ${option}`,
      { cause },
    );
  }
}

function defaultNode(): string {
  const { bun, electron } = process.versions as { readonly bun?: string; readonly electron?: string };
  return bun === undefined && electron === undefined ? process.execPath : "node";
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
  });
  checkOptions("processes", options.processes, { warm: "anything", max: "anything", queue: "anything" });
  const limits = readLimits(options.limits);
  const warm = count("warm", options.processes?.warm ?? 2, 0);
  const max = count("max", options.processes?.max ?? Math.max(32, warm), Math.max(1, warm));
  const queue = count("queue", options.processes?.queue ?? 1_000, 0);
  const nodePath = options.nodePath ?? defaultNode();
  const childPath = options.childPath ?? processFile("sandbox-process", "childPath");
  const compilerPath = options.compilerPath ?? processFile("compiler-process", "compilerPath");
  const compiler = createCompiler({
    nodePath,
    compilerPath,
    sourceBytes: limits.sourceBytes,
    timeoutMs: bounds.compileMs,
  });
  const pool = createPool({ nodePath, childPath, memoryMb: limits.memoryMb, warm, max, queue });
  const runtime = openRuntime(limits, pool, compiler);
  compiler.ready.catch(() => undefined);
  try {
    await pool.ready;
    await compiler.ready;
  } catch (error) {
    await runtime.close();
    throw error;
  }
  return runtime;
}

function openRuntime(limits: Limits, pool: Pool, compiler: Compiler): Runtime {
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    const code: Code = "runtime_closed";
    controller.abort(new Fault(code, "the runtime was closed"));
    await Promise.allSettled(running);
    await Promise.all([pool[Symbol.asyncDispose](), compiler.close()]);
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
  executors.set(runtime, async (request) => {
    if (closing !== undefined) {
      throw new Fault("runtime_closed", "the runtime is closed; create another one to run programs");
    }
    const run = runProgram({ pool, compiler, limits }, request);
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  });
  return runtime;
}
