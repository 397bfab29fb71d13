import type { JsonValue } from "../json.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { Redactor } from "../redact.ts";
import type { CallPaths, CallView, Grants, Task } from "../registry/policy.ts";
import type { Parsed } from "../registry/schema.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import type { Tool } from "../registry/tool.ts";
import type { Answer, AskHost } from "./answers.ts";
import type { Approvals } from "./approvals.ts";
import type { Continuation } from "./continuation.ts";
import type { BridgeEvent } from "./events.ts";
import type { Produced } from "./foreign.ts";
import type { Caller, RunLog } from "./journal.ts";
import type { Failed, Outcome, Success } from "./outcome.ts";
import type { RecordedCall } from "./recorded.ts";
import type { References } from "./references.ts";
import type { Place, Scheduler } from "./scheduler.ts";
import type { SentWrites } from "./sent-writes.ts";

/** What is asked for, as it came: nothing about it has been checked. */
export interface Ask {
  readonly caller: Caller;
  readonly name: string;
  /** JSON text. */
  readonly args: string;
  /** The guest's own number of a program's call. */
  readonly seq?: number;
  /** Why the arguments could not cross at all. */
  readonly unusable?: { readonly code: string; readonly message: string };
  /** Stops this call. */
  readonly signal?: AbortSignal;
  /** It names what codecall provides to programs, and no tool of the surface. */
  readonly provided?: boolean;
  /** Told of the call's id before anything of it is looked at. */
  readonly began?: (callId: string) => void;
  /** The call of this turn that the model made again with this one, and how that one ends. */
  readonly repeats?: { readonly callId: string; readonly outcome: Promise<Outcome> };
}

export type { AskHost } from "./answers.ts";

/** What a stage has to ask before the call may go on. */
export interface Question {
  readonly code: string;
  readonly reason: string;
  readonly expiresMs?: number;
  /** What the call asks for itself, where its tool does nothing but ask. */
  readonly capability?: { readonly name: string; readonly path?: string };
}

/** A decision made by codecall's own rules. */
export interface Ruling {
  readonly code: string;
  readonly sentence: string;
  readonly hint?: string;
  readonly details?: unknown;
}

/**
 * What a session has been allowed and what codecall's own rules make of that. Every call meets it at the same places,
 * whoever makes it; what it refuses, no policy turns back.
 */
export interface Authority {
  readonly task: Task;
  /** Counts the call; a refusal where the turn may make no more. */
  admit(call: Call, step: StepState): Failed | undefined;
  /** Resolves the paths among the arguments and puts the real ones in their place. */
  locate(call: Call): Failed | undefined | Promise<Failed | undefined>;
  /** Why the call may not run where it is made. */
  judge(call: Call, step: StepState): Ruling | undefined;
  /** What the call asks a person by itself. */
  question(call: Call): Question | undefined;
  grants(call: Call): Grants;
  /** What was answered to `question`. */
  granted(call: Call, answer: Answer): Ruling | undefined | Promise<Ruling | undefined>;
  /** What lets the call run although a rule stands against it. */
  reliedOn(call: Call): Ruling | undefined;
  /** After a wait, and again before the tool runs: why what was allowed is so no longer. */
  recheck(call: Call): Ruling | undefined | Promise<Ruling | undefined>;
  /** Writes the call down as a planned action where it may not run here. */
  plan(call: Call): Success | undefined | Promise<Success | undefined>;
  /** The tool runs now: what allowed it once is used up, which is to be durable first where anything is. */
  begin(call: Call): Promise<void> | undefined;
  end(call: Call, outcome: Outcome): void;
}

/** What is fixed for all calls of a step: those of one program, of one response, or of the host. */
export interface StepContext {
  readonly surface: Surface;
  readonly limits: Limits;
  /** Calls beyond this number are refused; absent where only the host asks. */
  readonly maxCalls?: number;
  /** The only tool that a model calls by itself, in the form `code`; absent in the others. */
  readonly codeToolAlone?: string;
  readonly log: RunLog;
  /** The programs that wait for what runs here, this one last. */
  readonly lineage: readonly string[];
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  readonly ask: AskHost | undefined;
  /** The answers to questions may come later than this process lives: a call that nobody answers live stays pending. */
  readonly later?: boolean;
  readonly authority?: Authority | undefined;
  /** Who confirmed what the step runs: a planned action, about which nobody is asked again. */
  readonly confirmedBy?: string | undefined;
  /** Hears of the JSON of every result that is ok; must not throw. */
  readonly observe?: ((tool: Tool, json: string) => void) | undefined;
  readonly emit: (event: BridgeEvent) => void;
  /** What its session keeps; a step without has some of its own. */
  readonly references?: References | undefined;
  /** Where the host marks secrets. */
  readonly redactor?: Redactor | undefined;
  /** From 0 to 1; `Math.random` unless given. */
  readonly random?: (() => number) | undefined;
  /** What a former run completed, where this one continues it. */
  readonly continuation?: Continuation | undefined;
  /** How many calls the log holds already. */
  readonly made?: number;
  /** Keys of writes of which it is not known whether they took effect. */
  readonly unknown?: Iterable<string>;
  /** Writes that the tools of the log asked for. */
  readonly sent?: SentWrites;
}

/** A step as its stages see it. */
export interface StepState extends Omit<StepContext, "unknown"> {
  readonly sent: SentWrites;
  readonly unknown: Set<string>;
  /** The call waits for nothing but an answer that may come later. */
  readonly waits: (call: Call) => void;
  /** The nearest visible names, for the first misses of the step. */
  readonly suggest: (name: string) => readonly string[];
  readonly approvals: Approvals;
  readonly references: References;
}

/** One call on its way through the stages. Each stage fills in its own part once; nothing outside the bridge sees it. */
export interface Call {
  readonly number: number;
  readonly id: string;
  asked: Ask;
  readonly parent: Call | undefined;
  /** Where it stands in its run, the same in every process that goes on with the run. */
  readonly position: string;
  /** Calls that its tool made so far. */
  made: number;
  /** How far it had come when the process that ran it was lost. */
  readonly recorded?: RecordedCall | undefined;
  /** The call of a former run whose outcome this one gets. */
  reused?: string;
  readonly place: Place;
  readonly request: (ask: Ask, parent: Call) => Promise<Outcome>;
  /** Queue of the calls that this call's tool makes while it runs. */
  nested?: Scheduler;
  // offered
  offered?: OfferedTool;
  /** Frozen, as sent. */
  sent?: JsonValue;
  parsed?: Parsed;
  /** Frozen: what policy, guards, card and tool see. */
  args?: unknown;
  view?: CallView;
  paths?: CallPaths;
  // check
  question?: Question;
  decided?: boolean;
  // approve
  /** The arguments as they came, where a person put others in their place. */
  replaced?: string;
  // schedule, execute
  started: boolean;
  produced?: Produced;
  json?: string;
  bytes?: number;
  /** What the model should hear although the call went on. */
  note?: string;
  /** Where a stage ended the call. */
  outcome?: Outcome;
  queuedMs: number;
  ranMs: number;
  humanMs: number;
  // being stopped
  readonly controller: () => AbortController;
  stopped?: string;
  /** Its time ran out while it ran. */
  expired?: boolean;
  /** Wakes whatever the call waits for. */
  onStop?: () => void;
}

/** Leads from what a running tool is given to its call: for the tools that codecall provides. */
export const callKey: unique symbol = Symbol("call");
export interface OfCall {
  readonly [callKey]: Call;
}

export type Stage = (call: Call, step: StepState) => Outcome | undefined | Promise<Outcome | undefined>;
