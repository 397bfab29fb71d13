// One program from its text to its result: compile, take a sandbox process, drive, let open calls finish, report.
import type { BridgeEvent } from "../bridge/events.ts";
import type { ProgramPins, RunLog } from "../bridge/journal.ts";
import type { Outcome } from "../bridge/outcome.ts";
import { recordOf } from "../bridge/record.ts";
import type { Step } from "../bridge/step.ts";
import { Fault } from "../errors.ts";
import { bounds, type Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import { callableBy } from "../registry/callers.ts";
import type { Surface } from "../registry/surface.ts";
import { checkProgram, type Verdict } from "./check/check-program.ts";
import type { CheckMode } from "./check/mode.ts";
import type { TypeChecker } from "./check/type-checker.ts";
import type { Compiled, Compiler, CompileFailure } from "./compiler.ts";
import { type CallLine, type Drive, drive, type Driven } from "./drive.ts";
import { type Ending, endingOf, faultEnding } from "./ending.ts";
import { readStack } from "./frames.ts";
import type { Pool } from "./pool.ts";
import { headerOf, pinsOf } from "./pins.ts";
import type { GuestHeader } from "./protocol.ts";
import { type ConsoleLine, makeResult, type RunParts, type RunResult, type Usage } from "./result.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Seats } from "./seat.ts";
import { raceStop, stopCode, stopReason } from "./stop.ts";
import { type WallClock, wallClock } from "./wall-clock.ts";

export type RunEvent =
  | BridgeEvent
  | { readonly type: "program.started"; readonly runId: string }
  | { readonly type: "console"; readonly runId: string; readonly level: ConsoleLine["level"]; readonly text: string }
  | { readonly type: "program.ended"; readonly runId: string; readonly status: RunResult["status"] };

export interface ProgramRequest {
  readonly runId: string;
  readonly code: string;
  readonly tenant: string;
  readonly surface: Surface;
  /** That of the runtime unless given. */
  readonly check?: CheckMode | undefined;
  readonly signal: AbortSignal;
  /** The programs that wait for this one, each holding a process. */
  readonly lineage: readonly string[];
  /** Opens the log and the queue of this program's calls, once it is known what will run. */
  readonly open: (pins: ProgramPins) => { readonly step: Step; readonly log: RunLog; readonly humanMs: () => number };
  readonly emit: (event: RunEvent) => void;
  readonly logger: Logger;
}

export interface Engine {
  readonly pool: Pool;
  readonly compiler: Compiler;
  readonly typeChecker: TypeChecker;
  readonly check: CheckMode;
  readonly limits: Limits;
}

/** Runs a program; every failure is a value. */
export async function runProgram(engine: Engine, request: ProgramRequest): Promise<RunResult> {
  const began = performance.now();
  request.emit({ type: "program.started", runId: request.runId });
  const run = newRun(engine, request, began);
  const ending = await attempt(engine, request, run);
  const result = makeResult(run.finish(ending));
  request.emit({ type: "program.ended", runId: request.runId, status: result.status });
  return result;
}

interface Run {
  readonly console: ConsoleLine[];
  readonly warnings: string[];
  opened: ReturnType<ProgramRequest["open"]> | undefined;
  startedAt: number | undefined;
  driven: Driven | undefined;
  finish(ending: Ending): RunParts;
}

function newRun(engine: Engine, request: ProgramRequest, began: number): Run {
  const run: Run = {
    console: [],
    warnings: [],
    opened: undefined,
    startedAt: undefined,
    driven: undefined,
    finish(ending) {
      const { opened, driven } = run;
      opened?.log.append({
        kind: "end",
        status: ending.status,
        ...(ending.status === "completed" ? {} : { code: ending.error.code }),
        at: Date.now(),
      });
      const calls = opened === undefined ? [] : recordOf(opened.log);
      const sum = (key: "queuedMs" | "ranMs" | "humanMs" | "resultBytes"): number =>
        calls.reduce((total, entry) => total + entry[key], 0);
      const ended = performance.now();
      const usage: Usage = {
        cpuMs: driven?.cpuMs ?? 0,
        idleMs: driven?.idleMs ?? 0,
        queueMs: sum("queuedMs") + (driven?.queueMs ?? 0),
        toolMs: sum("ranMs"),
        humanMs: sum("humanMs"),
        wallMs: ended - began,
        startMs: (run.startedAt ?? ended) - began,
        calls: calls.length,
        resultBytes: sum("resultBytes"),
      };
      const notes = new Set(calls.flatMap(({ note }) => (note === undefined ? [] : [note])));
      const warnings = [...run.warnings, ...[...notes].slice(0, bounds.reported)];
      const base = { runId: request.runId, calls, console: run.console, warnings, usage };
      return { ...base, ...ending };
    },
  };
  return run;
}

async function attempt(engine: Engine, request: ProgramRequest, run: Run): Promise<Ending> {
  try {
    const { signal } = request;
    const preparing = prepare(engine, request, run);
    const acquire = (): Promise<Sandbox> => engine.pool.acquire(request.tenant, signal, request.lineage);
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
    const header = headerOf(callableBy(request.surface, "code"), engine.limits);
    const pins = pinsOf(compiled.js, header, engine.limits, await sandbox.ready);
    try {
      run.opened = request.open(pins);
    } catch (error) {
      engine.pool.giveBack(sandbox);
      throw error;
    }
    run.startedAt = performance.now();
    const driven = await driveProgram(engine, request, run, run.opened, compiled, header, sandbox);
    return endingOf(driven.end, compiled, request.surface);
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

/** A fault of codecall's own: it ends the run as any other, and the host's log has the cause. */
function broken(request: ProgramRequest, error: unknown): Ending {
  request.logger.error("a run failed", { runId: request.runId, cause: error });
  return {
    status: "failed",
    error: { code: "internal_error", message: "the program could not be run: internal error" },
  };
}

/** A process that is still there: one that died meanwhile ran nothing, so another does as well. */
async function living(acquire: () => Promise<Sandbox>, acquiring = acquire()): Promise<Sandbox> {
  const sandbox = await acquiring;
  return sandbox.alive ? sandbox : living(acquire);
}

/** Where a program that gave its process up, or lost it, gets another. */
const seatsOf = ({ pool }: Engine, { tenant, lineage }: ProgramRequest): Seats => ({
  again: (signal) => living(() => pool.acquire(tenant, signal, lineage, { resumed: true })),
  waiting: (sandbox, park) => pool.waiting(sandbox, park),
  working: (sandbox) => pool.working(sandbox),
  release: (sandbox, clean) => pool.release(sandbox, clean),
});

/** A process that was asked for and is not needed goes back unused. */
function giveBack(engine: Engine, acquiring: ReturnType<Pool["acquire"]>): void {
  acquiring.then(
    (sandbox) => engine.pool.giveBack(sandbox),
    () => undefined,
  );
}

async function driveProgram(
  engine: Engine,
  request: ProgramRequest,
  run: Run,
  opened: NonNullable<Run["opened"]>,
  compiled: Compiled,
  header: GuestHeader,
  sandbox: Sandbox,
): Promise<Driven> {
  const { limits } = engine;
  const { signal } = request;
  const { step, log } = opened;
  const call = (line: CallLine): Promise<Outcome> => {
    const name = line.kind === "unoffered" ? line.name : (header.tools[line.tool]?.name ?? "");
    return step.request({
      caller: "program",
      name,
      seq: line.seq,
      args: line.kind === "bad" ? "{}" : line.args,
      ...(line.kind === "bad" ? { unusable: { code: line.code, message: line.message } } : {}),
    });
  };
  const program: Drive = drive({
    sandbox,
    seats: seatsOf(engine, request),
    limits,
    start: { program: request.runId, js: compiled.js, cpuMs: limits.cpuMs, header },
    call,
    console: (level, text) => {
      const entry = { level: level as ConsoleLine["level"], text };
      run.console.push(entry);
      request.emit({ type: "console", runId: request.runId, ...entry });
    },
    warn: (text) => void run.warnings.push(text),
    delivered: (turn, now, seqs) => log.append({ kind: "turn", turn, now, seqs }),
  });

  const onAbort = (): void => program.stop(stopCode(signal), stopReason(signal));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const wall = wallClock(limits.wallMs, opened.humanMs);
  void wall.expired.then(() => program.stop("wall_limit", `the program did not end within its ${limits.wallMs} ms`));
  const driven = await program.ended;
  run.driven = driven;
  signal.removeEventListener("abort", onAbort);
  await letFinish(driven, step, signal, wall);
  wall.clear();
  reportPending(run, log, driven, compiled);
  return driven;
}

/** Calls that the program left open: after its own end they finish; after a failure only those that had started; after a limit or an abort they are signalled. */
async function letFinish(driven: Driven, step: Step, signal: AbortSignal, wall: WallClock): Promise<void> {
  if (step.open === 0) return;
  if (driven.end.kind === "fault") step.stop(driven.end.message, "all");
  else if (driven.end.kind === "error") step.stop("the program had failed", "waiting");
  const onAbort = (): void => step.stop(stopReason(signal), "all");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  void wall.expired.then(() => step.stop("the program was out of time", "all"));
  await step.settled();
  signal.removeEventListener("abort", onAbort);
}

function reportPending(run: Run, log: RunLog, driven: Driven, compiled: Compiled): void {
  // A program that failed did not get to await them; the ledger tells of them.
  if (driven.pending.size === 0 || driven.end.kind !== "value") return;
  const bySeq = new Map<number, number>();
  for (const entry of log.entries())
    if (entry.kind === "ask" && entry.seq !== undefined) bySeq.set(entry.seq, entry.call);
  const record = recordOf(log);
  for (const [seq, stack] of [...driven.pending].slice(0, bounds.reported)) {
    const entry = record[(bySeq.get(seq) ?? 0) - 1];
    if (entry === undefined) continue;
    const [innermost] = readStack(stack, "", compiled);
    const where = innermost === undefined ? "" : ` at line ${innermost.line}`;
    run.warnings.push(`call #${entry.seq} of ${entry.tool}${where} was not awaited; it ended as ${entry.status}`);
  }
  const more = driven.pending.size - bounds.reported;
  if (more > 0) run.warnings.push(`${more} more calls were not awaited`);
}
