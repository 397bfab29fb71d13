// A turn: one user message up to its final answer. It owns the queue of the host's own calls and the events of all that runs in it.
import { askOf } from "../bridge/ask.ts";
import type { AskHost, StepContext } from "../bridge/call.ts";
import { createMemoryJournal, type Journal, type ProgramPins, type RunHeader, type RunLog } from "../bridge/journal.ts";
import { currentLineage } from "../bridge/lineage.ts";
import type { RecordEntry } from "../bridge/record.ts";
import { openStep, type Step } from "../bridge/step.ts";
import { Fault } from "../errors.ts";
import { createEvents } from "../events.ts";
import type { Limits } from "../limits.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import { assemblePrompt } from "../prompt/assemble.ts";
import type { Prompt } from "../prompt/history.ts";
import type { Composed } from "../registry/composition.ts";
import type { Surface } from "../registry/surface.ts";
import { readCheck, type CheckMode } from "../runtime/check/mode.ts";
import type { RunEvent } from "../runtime/run.ts";
import type { RunResult } from "../runtime/result.ts";
import { execute, type Runtime } from "../runtime/runtime.ts";
import { linkSignals } from "../signals.ts";
import type { Conversation } from "./conversation.ts";
import { checkUses, dispatchAll, type DispatchBlock, type ToolUse } from "./dispatch.ts";
import { callOutcome, type CallOutcome } from "./outcome.ts";
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
  readonly activity?: string;
  readonly signal?: AbortSignal;
}

export interface Turn extends Disposable {
  /** From 1, in the session. */
  readonly number: number;
  /** What a request built now shows the model. */
  surface(): TurnSurface;
  /** Runs a program; its failures are values. Rejects only where the host is wrong: no runtime, a closed one, an ended turn. */
  run(code: string, options?: RunOptions): Promise<RunResult>;
  /** The host's own call of one tool. */
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallOutcome>;
  /** The calls of one model response: results in the order of the calls. */
  dispatch(uses: readonly ToolUse[], options?: DispatchOptions): Promise<DispatchBlock>;
  /** All that happens in the turn, from the moment an iteration starts until the turn is disposed. */
  readonly events: AsyncIterable<RunEvent>;
  /** The record of everything in the turn so far, in the order in which runs began. */
  record(): readonly RecordEntry[];
}

const callOptions = { signal: "signal", ask: "function" } as const;
const runOptions = { ...callOptions, check: "text" } as const;
const dispatchOptions = { ...runOptions, maxTokens: "anything" } as const;
const turnOptions = { model: "text", workingFolder: "text", text: "text", activity: "text", signal: "signal" } as const;

export interface TurnHome {
  readonly composed: Composed<Runtime>;
  readonly views: ViewMaker;
  readonly conversation: Conversation;
  readonly limits: Limits;
  readonly session: string;
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

const journal: Journal = createMemoryJournal();

/** A turn, and for its session the wait for all that runs in it. */
export function openTurn(
  home: TurnHome,
  number: number,
  options: TurnOptions = {},
): { readonly turn: Turn; readonly settled: () => Promise<unknown> } {
  checkOptions("session.turn", options, turnOptions);
  const { composed, limits } = home;
  const events = createEvents<RunEvent>();
  const record = createTurnRecord();
  const controller = new AbortController();
  const running = new Set<Promise<unknown>>();
  let own: { readonly step: Step; readonly surface: unknown; readonly ask: AskHost | undefined } | undefined;

  const emit = (event: RunEvent): void => {
    if (events.heard) events.emit(event);
  };

  function open(
    kind: RunHeader["kind"],
    runId: string,
    ask: AskHost | undefined,
    surface: Surface,
    program?: ProgramPins,
  ): { step: Step; log: RunLog; humanMs: () => number } {
    const log = journal.open({
      runId,
      tenant: home.tenant,
      session: home.session,
      turn: number,
      kind,
      ...(program === undefined ? {} : { program }),
      surface: surface.hash,
      at: Date.now(),
    });
    record.add(log);
    const human = humanClock(ask);
    const context: StepContext = {
      surface,
      limits,
      ...(kind === "program" ? { maxCalls: limits.calls } : {}),
      log,
      lineage: kind === "program" ? [...currentLineage(), runId] : currentLineage(),
      tenant: home.tenant,
      identity: home.identity,
      services: home.services,
      logger: composed.logger,
      ask: human.ask,
      emit,
    };
    return { step: openStep(context), log, humanMs: human.ms };
  }

  /** The host's own calls share a queue as long as the surface stays the same. */
  function hostStep(ask: AskHost | undefined): Step {
    const surface = composed.surface();
    if (own?.surface === surface && own.ask === ask) return own.step;
    own = { step: open("call", newRunId(), ask, surface).step, surface, ask };
    return own.step;
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
    given: RunOptions,
    known: Readonly<Record<string, "signal" | "function" | "text" | "anything">>,
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
    record.close();
  }

  async function runProgram(code: string, given: RunOptions, signal: AbortSignal): Promise<RunResult> {
    if (typeof code !== "string") throw new Fault("invalid_options", `a program is text, got ${describe(code)}`);
    const { runtime } = composed;
    if (runtime === undefined) {
      throw new Fault("cannot_start", `agent "${composed.name}" has no runtime, so it can run no program`, {
        hint: "give one with composition.runtime(...)",
      });
    }
    const check = given.check === undefined ? undefined : readCheck("option check", given.check);
    const runId = newRunId();
    const surface = composed.surface();
    return execute(runtime, {
      runId,
      code,
      tenant: home.tenant,
      surface,
      check,
      signal,
      lineage: currentLineage(),
      open: (pins) => open("program", runId, given.ask, surface, pins),
      emit,
      logger: composed.logger,
    });
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
      const surface = composed.surface();
      const view = home.views.view(surface);
      return withPrompt(view, () => within({}, runOptions, (signal) => promptOf(surface, view.describeTools, signal)));
    },
    run: (code, given = {}) => within(given, runOptions, (signal) => runProgram(code, given, signal)),
    call: (name, args = {}, given = {}) =>
      within(given, callOptions, async (signal) => {
        checkText("the name of a tool", name);
        const step = hostStep(given.ask);
        return callOutcome(await step.request(askOf("host", name, args, signal)));
      }),
    dispatch: (uses, given = {}) =>
      within(given, dispatchOptions, async (signal) => {
        checkUses(uses);
        const surface = composed.surface();
        const { step } = open("dispatch", newRunId(), given.ask, surface);
        return dispatchAll(uses, {
          form: composed.form,
          codeTool: composed.codeTool,
          surface,
          step,
          signal,
          maxTokens: given.maxTokens,
          run: (code) => runProgram(code, given, signal),
        });
      }),
    events,
    record: () => record.entries(),
    [Symbol.dispose]() {
      controller.abort(new Fault("session_closed", "the turn is over"));
      if (running.size === 0) end();
    },
  };
  return { turn, settled: () => Promise.allSettled(running) };
}

const newRunId = (): string => `run_${crypto.randomUUID().replaceAll("-", "")}`;
