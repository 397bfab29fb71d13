// A run that goes on from its journal: its program is repeated in a fresh isolate up to where it stood, compared on the way,
// and only then goes on. Nothing is executed before it stands.
import type { ProgramPins, RunLog } from "../bridge/journal.ts";
import { endLost, endOrphans } from "../bridge/orphans.ts";
import { readRecorded, type Recorded } from "../bridge/recorded.ts";
import { Fault } from "../errors.ts";
import { parseJson } from "../json.ts";
import { type Limits, readLimits } from "../limits.ts";
import { compiledOf } from "./compiled.ts";
import type { Script } from "./compiler-protocol.ts";
import { type Ending, faultEnding } from "./ending.ts";
import { guestHeader } from "./pins.ts";
import type { ReadyMessage } from "./protocol.ts";
import type { ProgramError, RunResult } from "./result.ts";
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
import { standingOf } from "./standing.ts";

export interface ResumeRequest extends RunRequest {
  /** The run's own log, claimed by this process. */
  readonly log: RunLog;
  readonly open: (recorded: Recorded) => Opened;
  /** Goes on although engine or tools are others than when the run began; what it does is still compared. */
  readonly force?: boolean | undefined;
}

/** Goes on with a run; one that has ended is told again. Every failure is a value; one before the program stands leaves the run as it was. */
export async function resumeProgram(engine: Engine, request: ResumeRequest): Promise<RunResult> {
  const recorded = readRecorded(request.log.entries());
  request.emit({ type: "program.started", runId: request.runId });
  const run = newRun(request);
  run.isLive = false;
  return conclude(request, run, await attempt(engine, request, run, recorded));
}

async function attempt(engine: Engine, request: ResumeRequest, run: Run, recorded: Recorded): Promise<Ending> {
  try {
    run.opened = request.open(recorded);
    if (recorded.end !== undefined) return endedAs(recorded.end);
    const { log, surface, force, signal, tenant, lineage } = request;
    const pins = log.header.program;
    if (pins === undefined || log.isExpired === true) {
      endLost(log, recorded.calls);
      run.isLive = true;
      return faultEnding(pins === undefined ? noProgram(request.runId) : expired(request.runId));
    }
    if (force !== true && surface.hash !== log.header.surface) {
      throw new Fault("surface_changed", `${request.runId} began with other tools than are offered now`, {
        hint: "resume it with { force: true } if the calls that are open may meet the tools as they are now",
      });
    }
    const sandbox = await living(() => engine.pool.acquire(tenant, signal, lineage));
    const differs = force === true ? undefined : engineDiffers(pins.engine, await sandbox.ready);
    if (differs !== undefined) {
      engine.pool.giveBack(sandbox);
      throw new Fault("engine_changed", `${request.runId} began on another engine: ${differs}`, {
        hint: "resume it where it began, or with { force: true }: what it does is compared with its record all the same",
      });
    }
    run.startedAt = performance.now();
    const { step } = run.opened;
    return await driveProgram(engine, request, run, run.opened, {
      compiled: compiledOf(pins.source, { ...(pins.map as Omit<Script, "js">), js: pins.js }),
      header: guestHeader(pins),
      sandbox,
      limits: limitsOf(pins, engine.limits),
      standing: standingOf(recorded),
      stands: () => endOrphans(log, recorded),
      rejoin(seq) {
        const call = recorded.bySeq.get(seq);
        if (call === undefined) throw new Error("a call goes on that the record does not hold");
        return step.rejoin(call);
      },
    });
  } catch (error) {
    if (!(error instanceof Fault)) return broken(request, error);
    return faultEnding(error);
  }
}

/** Calls that were made directly belonged to a process that is gone: what became of each is known now, and none goes on. */
const noProgram = (runId: string): Fault =>
  new Fault("run_not_resumable", `${runId} is no program but calls that were made directly, so it does not go on`, {
    hint: "nothing was executed now; the record says what became of each call: make those again that never started",
  });

const expired = (runId: string): Fault =>
  new Fault("approval_expired", `${runId} was suspended, and nobody answered in time`, {
    hint: `nothing was executed now; a program with "continue": "${runId}" goes on from what it had completed`,
  });

/** What the guest could feel is what it was; the time on the wall is this attempt's. */
const limitsOf = ({ limits }: ProgramPins, { wallMs }: Limits): Limits => readLimits({ ...limits, wallMs });

function engineDiffers(then: ProgramPins["engine"], now: ReadyMessage): string | undefined {
  for (const part of ["node", "v8", "bootstrap"] as const) {
    if (then[part] !== now[part]) return `${part} was ${then[part]} and is ${now[part]}`;
  }
  return undefined;
}

function endedAs({ status, json, code }: NonNullable<Recorded["end"]>): Ending {
  const said = json === undefined ? null : parseJson(json);
  if (status === "completed") return { status, value: said };
  const error = (said ?? {
    code: code ?? "internal_error",
    message: "the record does not say why",
  }) as unknown as ProgramError;
  return { status: status === "cancelled" ? "cancelled" : "failed", error };
}
