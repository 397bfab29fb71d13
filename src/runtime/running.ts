// One program while it runs, from the beginning or from where its journal says: what is known of it so far, how it is driven
// in a sandbox process, and how its open calls finish.
import type { Continuation } from "../bridge/continuation.ts";
import type { BridgeEvent } from "../bridge/events.ts";
import type { JournalEntry, RunLog } from "../bridge/journal.ts";
import type { Outcome } from "../bridge/outcome.ts";
import { recordOf } from "../bridge/record.ts";
import type { Step } from "../bridge/step.ts";
import { Fault, messageOf } from "../errors.ts";
import { bounds, type Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { Surface } from "../registry/surface.ts";
import type { CheckMode } from "./check/mode.ts";
import type { TypeChecker } from "./check/type-checker.ts";
import { type CallLine, nameOfNumber, providedAt } from "./call-line.ts";
import type { Compiled, Compiler } from "./compiler.ts";
import type { Crowd } from "./crowd.ts";
import { type Drive, drive, type DriveEnd, type Driven } from "./drive.ts";
import { type Ending, endingOf, faultEnding } from "./ending.ts";
import { describeError, readStack } from "./frames.ts";
import { type Keeping, shownOf } from "./keeping.ts";
import { pendingOf } from "./pending.ts";
import type { Pool } from "./pool.ts";
import type { GuestError, GuestHeader } from "./protocol.ts";
import type { Standing } from "./rebuild.ts";
import { makeResult } from "./make-result.ts";
import type { ConsoleLine, RunParts, RunResult, Usage } from "./result.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Seats } from "./seat.ts";
import { stopCode, stopReason } from "./stop.ts";
import { type WallClock, wallClock } from "./wall-clock.ts";

export type RunEvent =
  | BridgeEvent
  | { readonly type: "program.started"; readonly runId: string }
  | { readonly type: "console"; readonly runId: string; readonly level: ConsoleLine["level"]; readonly text: string }
  | { readonly type: "program.ended"; readonly runId: string; readonly status: RunResult["status"] };

/** What a program is run for, whether it begins or goes on. */
export interface RunRequest {
  readonly runId: string;
  readonly tenant: string;
  readonly surface: Surface;
  readonly signal: AbortSignal;
  /** The programs that wait for this one, each holding a process. */
  readonly lineage: readonly string[];
  readonly emit: (event: RunEvent) => void;
  readonly logger: Logger;
  /** What its session keeps beyond it; without, there is no state before and after it. */
  readonly keeping?: Keeping | undefined;
}

/** The log and the queue of a program's calls. */
export interface Opened {
  readonly step: Step;
  readonly log: RunLog;
  readonly humanMs: () => number;
  /** Answers may come when this process is gone: a program that waits for nothing else is suspended. */
  readonly isSuspendable: boolean;
  readonly continuation?: Continuation | undefined;
}

export interface Engine {
  readonly pool: Pool;
  readonly compiler: Compiler;
  readonly typeChecker: TypeChecker;
  readonly check: CheckMode;
  readonly limits: Limits;
  readonly crowd: Crowd;
}

/** What is known of a run so far. */
export interface Run {
  readonly console: ConsoleLine[];
  readonly warnings: string[];
  opened: Opened | undefined;
  /** Whether its end is written down: not of one that could not be repeated, which stays as it was. */
  isLive: boolean;
  startedAt: number | undefined;
  driven: Driven | undefined;
  /** `state` as the program left it, JSON text. */
  left: string | undefined;
  finish(ending: Ending): RunParts;
}

export function newRun(request: RunRequest): Run {
  const began = performance.now();
  const run: Run = {
    console: [],
    warnings: [],
    opened: undefined,
    isLive: true,
    startedAt: undefined,
    driven: undefined,
    left: undefined,
    finish(ending) {
      const { opened, driven } = run;
      if (run.isLive && opened !== undefined) opened.log.append(endEntry(ending, run.left, opened.log.isDurable));
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
      const shown = opened === undefined ? [] : shownOf(opened.log);
      const base = { runId: request.runId, calls, console: run.console, warnings, shown, usage };
      return { ...base, ...ending };
    },
  };
  return run;
}

/** What a run came to is kept where it can be told again. */
const endEntry = (ending: Ending, left: string | undefined, isKept: boolean): JournalEntry =>
  ending.status === "suspended"
    ? { kind: "suspend", now: Date.now() }
    : {
        kind: "end",
        status: ending.status,
        ...(ending.status === "completed" ? {} : { code: ending.error.code }),
        ...(isKept ? { json: JSON.stringify(ending.status === "completed" ? ending.value : ending.error) } : {}),
        ...(left === undefined ? {} : { state: left }),
        at: Date.now(),
      };

/** The result of a run, once all that it did is written down. */
export async function conclude(request: RunRequest, run: Run, ending: Ending): Promise<RunResult> {
  let parts = run.finish(ending);
  const unwritten: string[] = [];
  try {
    await run.opened?.log.commit();
  } catch (error) {
    if (error instanceof Fault && error.code === "store_fenced") parts = takenOver(run, error);
    request.logger.error("the end of a run could not be written down", { runId: request.runId, cause: error });
    unwritten.push(`the end of this run could not be written down: ${messageOf(error)}`);
  }
  const result = makeResult({ ...parts, warnings: [...parts.warnings, ...unwritten] });
  request.emit({ type: "program.ended", runId: request.runId, status: result.status });
  return result;
}

/** Another process has the run: how it ends is said there, not here. */
function takenOver(run: Run, { message }: Fault): RunParts {
  run.isLive = false;
  const hint = "another process goes on with the run; session.resume tells how it ended";
  return run.finish(faultEnding({ code: "store_fenced", message, hint }));
}

/** A process that is still there: one that died meanwhile ran nothing, so another does as well. */
export async function living(
  acquire: () => Promise<Sandbox>,
  acquiring: Promise<Sandbox> = acquire(),
): Promise<Sandbox> {
  const sandbox = await acquiring;
  return sandbox.alive ? sandbox : living(acquire);
}

/** Where a program that gave its process up, or lost it, gets another. */
const seatsOf = ({ pool }: Engine, { tenant, lineage }: RunRequest): Seats => ({
  again: (signal) => living(() => pool.acquire(tenant, signal, lineage, { resumed: true })),
  waiting: (sandbox, park) => pool.waiting(sandbox, park),
  working: (sandbox) => pool.working(sandbox),
  release: (sandbox, clean) => pool.release(sandbox, clean),
});

/** A fault of codecall's own: it ends the run as any other, and the host's log has the cause. */
export function broken(request: RunRequest, error: unknown): Ending {
  request.logger.error("a run failed", { runId: request.runId, cause: error });
  return {
    status: "failed",
    error: { code: "internal_error", message: "the program could not be run: internal error" },
  };
}

/** What runs, and in which process. */
export interface Piece {
  readonly compiled: Compiled;
  readonly header: GuestHeader;
  readonly sandbox: Sandbox;
  readonly limits: Limits;
  /** Where it goes on from, and how the calls that are open there do. */
  readonly standing?: Standing;
  readonly rejoin?: (seq: number) => Promise<Outcome>;
  readonly stands?: () => void;
}

export async function driveProgram(
  engine: Engine,
  request: RunRequest,
  run: Run,
  opened: Opened,
  piece: Piece,
): Promise<Ending> {
  const { compiled, header, sandbox, limits, standing, rejoin } = piece;
  const { signal } = request;
  const { step, log } = opened;
  let left: string | undefined;
  const call = (line: CallLine): Promise<Outcome> => {
    const name = line.kind === "unoffered" ? line.name : nameOfNumber(header.tools, line.tool);
    const isProvided = line.kind !== "unoffered" && providedAt(header.tools, line.tool) !== undefined;
    return step.request({
      caller: "program",
      name,
      seq: line.seq,
      args: line.kind === "bad" ? "{}" : line.args,
      ...(isProvided ? { provided: true } : {}),
      ...(line.kind === "bad" ? { unusable: { code: line.code, message: line.message } } : {}),
    });
  };
  step.gather(true);
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
    left: (json) => void (left = json),
    rejected: (error) => void run.warnings.push(rejectionText(error, compiled)),
    log: (message, cause) => request.logger.error(message, { runId: request.runId, cause }),
    computing: (does) => step.gather(does),
    delivered: (turn, now, seqs) => log.append({ kind: "turn", turn, now, seqs }),
    ...(log.isDurable
      ? {
          timed: (seq: number, ms: number, at: number) => log.append({ kind: "timer", seq, ms, at }),
          saw: (turns: number, digest: string, cpuMs: number) => log.append({ kind: "saw", turns, digest, cpuMs }),
        }
      : {}),
    ...(opened.isSuspendable ? { waiting: () => step.waiting } : {}),
    ...(standing === undefined ? {} : { standing }),
    ...(rejoin === undefined ? {} : { rejoin }),
    stands() {
      run.isLive = true;
      log.append({ kind: "resume", now: Date.now() });
      piece.stands?.();
    },
    reprinted: (level, text) => void run.console.push({ level: level as ConsoleLine["level"], text }),
  });
  step.onWaiting(() => program.maySuspend());

  const onAbort = (): void => program.stop(stopCode(signal), stopReason(signal));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const onTaken = (): void => program.stop("store_fenced", messageOf(log.taken?.reason));
  log.taken?.addEventListener("abort", onTaken, { once: true });
  if (log.taken?.aborted === true) onTaken();
  const wall = wallClock(limits.wallMs, opened.humanMs);
  void wall.expired.then(() => program.stop("wall_limit", `the program did not end within its ${limits.wallMs} ms`));
  const driven = await program.ended;
  run.driven = driven;
  signal.removeEventListener("abort", onAbort);
  log.taken?.removeEventListener("abort", onTaken);
  if (driven.end.kind !== "suspended") await letFinish(driven, step, signal, wall);
  wall.clear();
  reportPending(run, log, driven, compiled);
  if (driven.end.kind !== "suspended") run.warnings.push(...(opened.continuation?.warnings() ?? []));
  // A program that was ended from outside has not said what of its state is meant.
  if (left !== undefined && (driven.end.kind === "value" || driven.end.kind === "error")) {
    run.left = left;
    run.warnings.push(...((await request.keeping?.leave(header.state, left)) ?? []));
  }
  return driven.end.kind === "suspended"
    ? { status: "suspended", pending: pendingOf(recordOf(log)) }
    : referred(endingOf(driven.end, compiled, request.surface), driven.end, request.keeping);
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

/** What is large has a reference that a later program of the session can read. */
function referred(ending: Ending, end: DriveEnd, keeping: Keeping | undefined): Ending {
  if (ending.status !== "completed" || end.kind !== "value" || end.whole === undefined) return ending;
  const reference = keeping?.refer(end.whole);
  return reference === undefined ? ending : { ...ending, reference };
}

function rejectionText(error: GuestError, compiled: Compiled): string {
  const { name, message, line } = describeError(error, compiled);
  const named = name === "Thrown" ? message : `${name}: ${message}`;
  const where = line === undefined ? "" : ` at line ${line}`;
  return `a rejection was not handled: ${named}${where}; await the promise, or catch its error`;
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
