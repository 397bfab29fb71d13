import type { JsonValue } from "../json.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { CallView } from "../registry/policy.ts";
import type { Parsed } from "../registry/schema.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import type { BridgeEvent } from "./events.ts";
import type { Produced } from "./foreign.ts";
import type { Caller, RunLog } from "./journal.ts";
import type { Outcome } from "./outcome.ts";
import type { Place, Scheduler } from "./scheduler.ts";

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
}

/** A card put to whoever can answer: `ask` of the host. */
export interface ApprovalCard {
  readonly callId: string;
  readonly tool: string;
  readonly source: string;
  readonly args: unknown;
  readonly code: string;
  readonly reason: string;
  readonly signal: AbortSignal;
}

/** `true` or `"allow"` lets the call run; anything else, or a throw, denies it, text being the reason. */
export type AskHost = (card: ApprovalCard) => unknown;

/** What is fixed for all calls of a step: those of one program, of one response, or of the host. */
export interface StepContext {
  readonly surface: Surface;
  readonly limits: Limits;
  /** Calls beyond this number are refused; absent where only the host asks. */
  readonly maxCalls?: number;
  readonly log: RunLog;
  /** The programs that wait for what runs here, this one last. */
  readonly lineage: readonly string[];
  readonly tenant: string;
  readonly identity: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  readonly ask: AskHost | undefined;
  readonly emit: (event: BridgeEvent) => void;
}

/** A step as its stages see it. */
export interface StepState extends StepContext {
  /** The nearest visible names, for the first misses of the step. */
  readonly suggest: (name: string) => readonly string[];
}

/** One call on its way through the stages. Each stage fills in its own part once; nothing outside the bridge sees it. */
export interface Call {
  readonly number: number;
  readonly id: string;
  readonly asked: Ask;
  readonly parent: Call | undefined;
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
  // check
  question?: { readonly code: string; readonly reason: string };
  decided?: boolean;
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

export type Stage = (call: Call, step: StepState) => Outcome | undefined | Promise<Outcome | undefined>;
