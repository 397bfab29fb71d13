// One program from its text to its result: compile, take a sandbox process, drive, let open calls finish, report.
import type { ProgramPins } from "../bridge/journal.ts";
import { Fault } from "../errors.ts";
import { callableBy } from "../registry/callers.ts";
import { checkProgram, type Verdict } from "./check/check-program.ts";
import type { CheckMode } from "./check/mode.ts";
import type { Compiled, CompileFailure } from "./compiler.ts";
import { type Ending, faultEnding } from "./ending.ts";
import type { Pool } from "./pool.ts";
import { headerOf, pinsOf } from "./pins.ts";
import type { RunResult } from "./result.ts";
import {
  broken,
  conclude,
  driveProgram,
  type Engine,
  living,
  newRun,
  type Opened,
  type Run,
  type RunRequest,
} from "./running.ts";
import type { Sandbox } from "./sandbox.ts";
import { raceStop } from "./stop.ts";

export interface ProgramRequest extends RunRequest {
  readonly code: string;
  /** That of the runtime unless given. */
  readonly check?: CheckMode | undefined;
  /** Opens the log and the queue of this program's calls, once it is known what will run. */
  readonly open: (pins: ProgramPins) => Opened;
}

/** Runs a program; every failure is a value. */
export async function runProgram(engine: Engine, request: ProgramRequest): Promise<RunResult> {
  request.emit({ type: "program.started", runId: request.runId });
  const run = newRun(request);
  return conclude(request, run, await attempt(engine, request, run));
}

async function attempt(engine: Engine, request: ProgramRequest, run: Run): Promise<Ending> {
  try {
    const { signal, tenant } = request;
    engine.crowd.admit(tenant);
    const preparing = prepare(engine, request, run);
    const acquire = (): Promise<Sandbox> => engine.pool.acquire(tenant, signal, request.lineage);
    const acquiring = acquire();
    // It is heard of where it is awaited; the text may turn out wrong before.
    acquiring.catch(() => undefined);
    let compiled: Compiled | Refused;
    try {
      compiled = await raceStop(preparing, signal);
    } catch (error) {
      giveBack(engine, acquiring);
      throw error;
    }
    if (!compiled.ok) {
      giveBack(engine, acquiring);
      return { status: "failed", error: compiled.failure };
    }
    const sandbox = await living(acquire, acquiring);
    const header = headerOf(callableBy(request.surface, "code"), engine.limits, request.keeping?.state() ?? "{}");
    const pins = pinsOf(compiled, header, engine.limits, await sandbox.ready);
    let leave: (() => void) | undefined;
    try {
      leave = engine.crowd.enter(tenant);
      run.opened = request.open(pins);
    } catch (error) {
      leave?.();
      engine.pool.giveBack(sandbox);
      throw error;
    }
    run.startedAt = performance.now();
    const piece = { compiled, header, sandbox, limits: engine.limits };
    try {
      return await driveProgram(engine, request, run, run.opened, piece);
    } finally {
      leave();
    }
  } catch (error) {
    if (!(error instanceof Fault)) return broken(request, error);
    return faultEnding(error);
  }
}

interface Refused {
  readonly ok: false;
  readonly failure: CompileFailure;
}

/** Compiles and checks side by side; a text that does not compile needs no check. */
async function prepare(engine: Engine, request: ProgramRequest, run: Run): Promise<Compiled | Refused> {
  const { code: source, surface, logger, check: mode = engine.check } = request;
  const checking = checkProgram(engine.typeChecker, { mode, source, surface, logger });
  // It is heard of where it is awaited; the text may turn out wrong before.
  checking.catch(() => undefined);
  const compiled = await engine.compiler.compile(source);
  if (!compiled.ok) return compiled;
  const { refusal, warnings }: Verdict = await checking;
  run.warnings.push(...warnings);
  return refusal === undefined ? compiled : { ok: false, failure: refusal };
}

/** A process that was asked for and is not needed goes back unused. */
function giveBack(engine: Engine, acquiring: ReturnType<Pool["acquire"]>): void {
  acquiring.then(
    (sandbox) => engine.pool.giveBack(sandbox),
    () => undefined,
  );
}
