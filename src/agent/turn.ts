// A turn: one user message up to its final answer. It owns the queue of the host's own calls and the events of all that runs in it.
import { askOf } from "../bridge/ask.ts";
import type { AskHost, StepContext } from "../bridge/call.ts";
import type { Continuation } from "../bridge/continuation.ts";
import type { Journal, ProgramPins, RunHeader, RunLog } from "../bridge/journal.ts";
import { type Recorded, unknownWrites } from "../bridge/recorded.ts";
import { currentLineage } from "../bridge/lineage.ts";
import { createSentWrites } from "../bridge/sent-writes.ts";
import type { RecordEntry } from "../bridge/record.ts";
import { newRunId } from "../bridge/run-id.ts";
import { openStep, type Step } from "../bridge/step.ts";
import { Fault, messageOf } from "../errors.ts";
import { createEvents } from "../events.ts";
import { widen } from "../lean/lean-surface.ts";
import type { Memory } from "../lean/memory.ts";
import type { Limits } from "../limits.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import { readActivity } from "../policy/activity.ts";
import { openAuthority, type SessionBooks } from "../policy/authority.ts";
import { type BudgetOptions, budgetLow, checkBudget, createBudget } from "../policy/budget.ts";
import type { PlannedAction } from "../policy/planned.ts";
import { assemblePrompt } from "../prompt/assemble.ts";
import type { Prompt } from "../prompt/history.ts";
import type { Composed } from "../registry/composition.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import { readCheck, type CheckMode } from "../runtime/check/mode.ts";
import type { RunEvent } from "../runtime/running.ts";
import { withoutSecrets, withWarning } from "../runtime/make-result.ts";
import type { RunResult } from "../runtime/result.ts";
import type { Opened } from "../runtime/running.ts";
import { execute, executeResumed, type Runtime } from "../runtime/runtime.ts";
import { linkSignals } from "../signals.ts";
import type { Conversation } from "./conversation.ts";
import { checkUses, dispatchAll } from "./dispatch.ts";
import type { DispatchBlock, ToolUse } from "./tool-use.ts";
import { createEmissions } from "./deduplicate.ts";
import { createEmitted } from "./emitted.ts";
import type { FormerRuns } from "./former-runs.ts";
import { type Answers, writeAnswers } from "./later-answers.ts";
import type { SessionKeeping } from "./keeping.ts";
import { callOutcome, type CallOutcome } from "./outcome.ts";
import { type FoundHits, type SearchOptions, searchSurface } from "./search.ts";
import { openSurfaces } from "./surfaces.ts";
import { createUsage, type UsageReport, type UsageTotal } from "./usage.ts";
import { humanClock } from "./human-clock.ts";
import { createTurnRecord } from "./turn-record.ts";
import { type TurnSurface, type ViewMaker, withPrompt } from "./view.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Answers for a person where a policy asks. */
  readonly ask?: AskHost;
}

export interface RunOptions extends CallOptions {
  /** What is done about what is surely wrong in a program; what the runtime was given unless set. */
  readonly check?: CheckMode;
  /** The id of a failed run of the session: what it completed is answered from its record and not done again. */
  readonly continue?: string;
}

export interface ResumeOptions extends CallOptions {
  /** Goes on although engine or tools are others than when the run began; what the program does is compared all the same. */
  readonly force?: boolean;
}

export interface DispatchOptions extends RunOptions {
  /** For each result that the model reads; 8,000 unless given. */
  readonly maxTokens?: number;
}

export interface TurnOptions {
  /** What the user wrote, the model that answers, and where. */
  readonly model?: string;
  readonly workingFolder?: string;
  readonly text?: string;
  /** `plan`, `review` and `research` only read; `act`, which it is unless given, may do all. */
  readonly activity?: string;
  /** Tools with the effect `external` run in this turn; otherwise they are planned. What the session says unless given. */
  readonly confirmationGated?: boolean;
  /** What the calls of the turn may use up. What the session says unless given. */
  readonly budget?: BudgetOptions;
  readonly signal?: AbortSignal;
}

export interface Turn extends Disposable {
  /** From 1, in the session. */
  readonly number: number;
  /** What a request built now shows the model. */
  surface(): TurnSurface;
  /** Runs a program; its failures are values. Rejects only where the host is wrong: no runtime, a closed one, an ended turn. */
  run(code: string, options?: RunOptions): Promise<RunResult>;
  /**
   * Goes on with a run of the session, from where its journal says: after a restart, or with answers to what it asked, by call
   * id. One that has ended is told again, and runs nothing. Rejects with `run_not_found`, with `run_claimed` while another
   * process works on it, with `approval_not_found`, and with what the store rejects with.
   */
  resume(runId: string, answers?: Answers, options?: ResumeOptions): Promise<RunResult>;
  /** The host's own call of one tool. */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallOutcome>;
  /** The calls of one model response: results in the order of the calls. */
  dispatch(uses: readonly ToolUse[], options?: DispatchOptions): Promise<DispatchBlock>;
  /** What a search would find now: best first, and the answer in words. It binds nothing. */
  search(query: string, options?: SearchOptions): FoundHits;
  /** Adds what a response's provider reported, and gives the totals so far; logged as one line when the turn is over. */
  usage(report: UsageReport): UsageTotal;
  /** All that happens in the turn, from the moment an iteration starts until the turn is disposed. */
  readonly events: AsyncIterable<RunEvent>;
  /** The record of everything in the turn so far, in the order in which runs began. */
  record(): readonly RecordEntry[];
}

const callOptions = { signal: "signal", ask: "function" } as const;
const runOptions = { ...callOptions, check: "text", continue: "text" } as const;
const resumeOptions = { ...callOptions, force: "flag" } as const;
const dispatchOptions = { ...runOptions, maxTokens: "anything" } as const;
const turnOptions = {
  model: "text",
  workingFolder: "text",
  text: "text",
  activity: "text",
  confirmationGated: "flag",
  budget: "object",
  signal: "signal",
} as const;

export interface TurnHome {
  readonly composed: Composed<Runtime>;
  readonly views: ViewMaker;
  readonly conversation: Conversation;
  readonly memory: Memory;
  readonly keeping: SessionKeeping;
  readonly limits: Limits;
  readonly session: string;
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly books: SessionBooks<CallOutcome>;
  /** What its turns are unless they say otherwise. */
  readonly terms: Pick<TurnOptions, "confirmationGated" | "budget">;
  readonly signal: AbortSignal;
  readonly journal: Journal;
  readonly former: FormerRuns;
  /** Resolves once what the session keeps is written down; `undefined` where it is. */
  readonly saved: () => Promise<void> | undefined;
  /** Whether the answers to what is asked may come later than this process lives. */
  readonly later: boolean;
}

/** What a run has beyond its kind. */
interface Particulars {
  readonly program?: ProgramPins;
  /** The planned action that it executes. */
  readonly action?: string;
  readonly continuation?: Continuation | undefined;
  /** The log that it goes on from. */
  readonly from?: { readonly log: RunLog; readonly recorded: Recorded };
}

/** A turn, and for its session what only that may do with it. */
export interface OpenedTurn {
  readonly turn: Turn;
  /** All that runs in it has ended. */
  readonly settled: () => Promise<unknown>;
  /** Calls the tool of the planned action that the turn was opened for. */
  readonly execute: (action: PlannedAction) => Promise<CallOutcome>;
}

/** Opens a turn, for what the session was asked, or to execute what was confirmed. */
export function openTurn(
  home: TurnHome,
  number: number,
  options: TurnOptions = {},
  confirmed?: PlannedAction,
): OpenedTurn {
  checkOptions("session.turn", options, turnOptions);
  const { budget: bounded = home.terms.budget } = options;
  checkBudget(bounded);
  const budget = createBudget(bounded);
  const emitted = createEmitted();
  const emissions = createEmissions();
  const authority = openAuthority(home.books, {
    turn: number,
    activity: readActivity(options.activity),
    workingFolder: options.workingFolder,
    confirmationGated: options.confirmationGated ?? home.terms.confirmationGated ?? false,
    budget,
    ...(confirmed === undefined ? {} : { confirmed }),
  });
  const { composed, limits } = home;
  const { redactor } = composed;
  const events = createEvents<RunEvent>();
  const record = createTurnRecord();
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  const surfaces = openSurfaces(composed, home.memory, { number, ...options, workspace: home.books.workspace });
  const usage = createUsage(number);
  let own: { readonly step: Step; readonly surface: unknown; readonly ask: AskHost | undefined } | undefined;
  const hostLogs: RunLog[] = [];
  const over = Promise.withResolvers<void>();

  const emit = (event: RunEvent): void => {
    if (event.type === "call.settled" && event.effect !== "none") emitted.sawEffect();
    if (events.heard) events.emit(redactor === undefined ? event : redactor.value(event));
  };

  function open(
    kind: RunHeader["kind"],
    runId: string,
    ask: AskHost | undefined,
    surface: Surface,
    { program, action, continuation, from }: Particulars = {},
  ): Opened {
    const log =
      from?.log ??
      home.journal.open({
        runId,
        tenant: home.tenant,
        session: home.session,
        turn: number,
        kind,
        ...(program === undefined ? {} : { program }),
        ...(continuation === undefined ? {} : { continues: continuation.runId }),
        ...(action === undefined ? {} : { action }),
        surface: surface.hash,
        at: Date.now(),
      });
    if (from !== undefined) taintAgain(from.recorded, surface);
    const later = home.later && kind === "program" && ask === undefined;
    record.add(log);
    if (kind === "program") home.former.add(log);
    // What is confirmed shares the number of a turn that may go on, and is no search.
    if (confirmed === undefined) home.memory.add(log);
    const human = humanClock(ask);
    const context: StepContext = {
      surface: surfaces.forStep(kind, surface, log),
      limits,
      ...(kind === "program" ? { maxCalls: limits.calls } : {}),
      ...(kind === "dispatch" && composed.form === "code" ? { codeToolAlone: composed.codeTool } : {}),
      log,
      lineage: kind === "program" ? [...currentLineage(), runId] : currentLineage(),
      tenant: home.tenant,
      identity: home.identity,
      services: home.services,
      logger: composed.logger,
      ask: human.ask,
      authority,
      confirmedBy: confirmed?.by,
      observe: composed.observe,
      redactor,
      references: home.keeping.references,
      later,
      continuation,
      ...(from === undefined
        ? {}
        : {
            made: from.recorded.calls.length,
            unknown: unknownWrites(from.recorded),
            sent: createSentWrites(runId, from.recorded),
          }),
      emit,
    };
    return { step: openStep(context), log, humanMs: human.ms, isSuspendable: later, continuation };
  }

  /** What was read before a process was lost taints the session as what is read now. */
  function taintAgain({ calls }: Recorded, surface: Surface): void {
    for (const { tool: name, attempts } of calls) {
      const tool = attempts === 0 ? undefined : surface.find(name)?.tool;
      if (tool?.untrusted === true) home.books.taintedBy.add(tool.source);
    }
  }

  /** Nothing is answered before what the session keeps is written down; where that fails, why. */
  async function unsaved(): Promise<string | undefined> {
    try {
      await home.saved();
      return undefined;
    } catch (cause) {
      composed.logger.error("what the session keeps could not be written down", { session: home.session, cause });
      return `what the session keeps could not be written down: ${messageOf(cause)}`;
    }
  }

  async function toldWhenSaved(run: RunResult): Promise<RunResult> {
    const failed = await unsaved();
    return failed === undefined ? run : withWarning(run, failed);
  }

  /** The host's own calls share a queue as long as the surface stays the same. */
  function hostStep(ask: AskHost | undefined): Step {
    const surface = surfaces.current();
    if (own?.surface === surface && own.ask === ask) return own.step;
    const { step, log } = open("call", newRunId(), ask, surface);
    hostLogs.push(log);
    own = { step, surface, ask };
    return own.step;
  }

  /** Writes down that no more direct calls come; what they came to is known all the same. */
  async function endDirect(log: RunLog): Promise<void> {
    if (log.taken === undefined || log.entries().length === 0) return;
    log.append({ kind: "end", status: "completed", at: Date.now() });
    try {
      await log.commit();
    } catch (error) {
      composed.logger.error("the end of a run could not be written down", { runId: log.header.runId, cause: error });
    }
    await record.release(log);
  }

  function live(): void {
    if (controller.signal.aborted) {
      throw new Fault("session_closed", "the turn is over; open another one with session.turn()");
    }
    if (home.signal.aborted)
      throw home.signal.reason instanceof Fault
        ? home.signal.reason
        : new Fault("session_closed", "the session is closed");
  }

  /** Runs something that stops when the turn, its session, its scope or the runtime does. */
  async function within<T>(
    given: CallOptions,
    known: Readonly<Record<string, "signal" | "function" | "text" | "flag" | "anything">>,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    live();
    checkOptions("the call", given, known);
    const link = linkSignals([
      controller.signal,
      home.signal,
      composed.signal,
      composed.runtime?.signal,
      options.signal,
      given.signal,
    ]);
    const started = run(link.signal);
    running.add(started);
    try {
      return await started;
    } finally {
      running.delete(started);
      link.release();
      if (controller.signal.aborted && running.size === 0) end();
    }
  }

  function end(): void {
    events.close();
    const closing = Promise.all(hostLogs.splice(0).map(endDirect)).then(() => record.close());
    over.resolve(closing);
    if (confirmed === undefined) home.memory.forget(number);
    usage.close(composed.logger);
  }

  async function runProgram(
    code: string,
    given: RunOptions,
    signal: AbortSignal,
    surface: Surface = surfaces.current(),
  ): Promise<RunResult> {
    if (typeof code !== "string") throw new Fault("invalid_options", `a program is text, got ${describe(code)}`);
    const { runtime } = composed;
    if (runtime === undefined) {
      throw new Fault("cannot_start", `agent "${composed.name}" has no runtime, so it can run no program`, {
        hint: "give one with composition.runtime(...)",
      });
    }
    const check = given.check === undefined ? undefined : readCheck("option check", given.check);
    const continuation = given.continue === undefined ? undefined : await home.former.continuation(given.continue);
    const runId = newRunId();
    let log: RunLog | undefined;
    const run = await execute(runtime, {
      runId,
      code,
      tenant: home.tenant,
      surface,
      check,
      signal,
      lineage: currentLineage(),
      open(program) {
        const opened = open("program", runId, given.ask, surface, { program, continuation });
        ({ log } = opened);
        return opened;
      },
      emit,
      logger: composed.logger,
      keeping: home.keeping,
    });
    if (log !== undefined) await record.release(log);
    const told = await toldWhenSaved(run);
    return withoutSecrets(budget.takeWarning() ? withWarning(told, budgetLow) : told, redactor);
  }

  async function resumeProgram(
    runId: string,
    answers: Answers,
    { ask, force }: ResumeOptions,
    signal: AbortSignal,
  ): Promise<RunResult> {
    checkText("the id of a run", runId);
    const { runtime } = composed;
    if (runtime === undefined) {
      throw new Fault("cannot_start", `agent "${composed.name}" has no runtime, so no run can go on`, {
        hint: "give one with composition.runtime(...)",
      });
    }
    const log = await home.journal.resume(home.tenant, runId);
    let notes: readonly string[];
    try {
      if (log.header.session !== home.session) {
        throw new Fault("run_not_found", `no run ${runId} is kept in session "${home.session}"`);
      }
      notes = log.isExpired === true ? [] : writeAnswers(log, answers);
      await log.commit();
    } catch (error) {
      await log.close();
      throw error;
    }
    const surface = surfaces.current();
    try {
      const run = await executeResumed(runtime, {
        runId,
        log,
        force,
        tenant: home.tenant,
        surface,
        signal,
        lineage: currentLineage(),
        open: (recorded) => open(log.header.kind, runId, ask, surface, { from: { log, recorded } }),
        emit,
        logger: composed.logger,
        keeping: home.keeping,
      });
      return withoutSecrets(notes.reduce(withWarning, await toldWhenSaved(run)), redactor);
    } finally {
      await record.release(log);
    }
  }

  async function promptOf(surface: Surface, describeTools: () => string, signal: AbortSignal): Promise<Prompt> {
    const { model, workingFolder, text, activity } = options;
    const { tenant, identity, session } = home;
    const request = { model, workingFolder, text, activity, tenant, identity, session, turn: number, signal };
    const assembling = assemblePrompt(surface.instructions, describeTools, request);
    const prompt = await home.conversation.add(assembling);
    home.views.warn((await assembling).warnings);
    return prompt;
  }

  const turn: Turn = {
    number,
    surface() {
      const surface = surfaces.current();
      const view = home.views.view(surface);
      usage.shown(view.shown);
      return withPrompt(view, () => within({}, runOptions, (signal) => promptOf(surface, view.describeTools, signal)));
    },
    run: (code, given = {}) => within(given, runOptions, (signal) => runProgram(code, given, signal)),
    resume: (runId, answers = {}, given = {}) =>
      within(given, resumeOptions, (signal) => resumeProgram(runId, answers, given, signal)),
    call: (name, args = {}, given = {}) =>
      within(given, callOptions, async (signal) => {
        checkText("the name of a tool", name);
        const step = hostStep(given.ask);
        const outcome = await step.request(askOf("host", name, args, signal));
        await unsaved();
        return callOutcome(outcome);
      }),
    dispatch: (uses, given = {}) =>
      within(given, dispatchOptions, async (signal) => {
        checkUses(uses);
        const surface = surfaces.current();
        const { step, log } = open("dispatch", newRunId(), given.ask, surface);
        const block = await dispatchAll(uses, {
          form: composed.form,
          codeTool: composed.codeTool,
          surface,
          step,
          signal,
          maxTokens: given.maxTokens,
          emitted,
          emissions,
          pages: composed.form === "both" ? (json) => home.keeping.refer(json) : undefined,
          grantsSeen: () => home.books.grants.events().length,
          isLow: () => budget.takeWarning(),
          tell: surfaces.tell,
          redactor,
          run: (code, former) =>
            runProgram(code, former === undefined ? given : { ...given, continue: former }, signal, surface),
        });
        await endDirect(log);
        await unsaved();
        const { ended } = surfaces;
        return ended === undefined ? block : Object.freeze({ ...block, ended });
      }),
    search: (query, given) => searchSurface(surfaces.all(), surfaces.withholds, query, given),
    usage: (report) => usage.add(report),
    events,
    record: () => (redactor === undefined ? record.entries() : redactor.value(record.entries())),
    [Symbol.dispose]() {
      controller.abort(new Fault("session_closed", "the turn is over"));
      if (running.size === 0) end();
    },
  };
  /** By its identity, whatever the tool is called by now. */
  async function executePlanned({
    id,
    runId = newRunId(),
    identity: { source, name },
    tool,
    args,
  }: PlannedAction): Promise<CallOutcome> {
    const all = composed.surface();
    const isIt = ({ tool: { source: from, originalName } }: OfferedTool): boolean =>
      from === source && originalName === name;
    const offered = all.tools.find(isIt) ?? all.gated.find(isIt);
    const surface = widen(all, (other) => (other === offered?.name ? offered : undefined));
    const ask = { caller: "host", name: offered?.name ?? tool, args } as const;
    const gone = { code: "tool_not_offered", message: `the tool "${tool}" that was planned is not offered any more` };
    return within({}, callOptions, async (signal) => {
      const { step, log } = open("call", runId, undefined, surface, { action: id });
      const outcome = await step.request({ ...ask, signal, ...(offered === undefined ? { unusable: gone } : {}) });
      await endDirect(log);
      return callOutcome(outcome);
    });
  }

  return { turn, settled: () => over.promise, execute: executePlanned };
}
