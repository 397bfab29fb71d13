// What happened, in the order in which it happened: entries are only ever appended, and a commit makes all before it durable.
import { type Failure, Fault } from "../errors.ts";
import type { EffectState, Outcome, Status } from "./outcome.ts";

/** Who asked for a call: a program, the model itself, the host, or a running tool. */
export type Caller = "program" | "model" | "host" | "tool";

/** `call` counts the calls of a run from 1 in the order asked; times are ms since 1970, spans are ms. */
export type JournalEntry =
  | {
      readonly kind: "ask";
      readonly call: number;
      /** The guest's own number, over calls and timers. */
      readonly seq?: number;
      readonly parent?: number;
      readonly caller: Caller;
      readonly tool: string;
      readonly source: string;
      /** The tool's name at its source, where that is another. */
      readonly original?: string;
      /** The arguments as they crossed, JSON text. */
      readonly args: string;
      /** The id of the call that the model made again with this one. */
      readonly repeats?: string;
      readonly at: number;
    }
  | {
      readonly kind: "decision";
      readonly call: number;
      readonly verdict: Verdict;
      readonly code: string;
      readonly sentence: string;
      /** The arguments that a person put in place of those sent, JSON text. */
      readonly args?: string;
      readonly at: number;
    }
  /** What a person said to a question that may be answered later; the first one counts, and a decision follows from it. */
  | { readonly kind: "answer"; readonly call: number; readonly given: unknown; readonly at: number }
  | {
      readonly kind: "intent";
      readonly call: number;
      readonly attempt: number;
      /** The key under which the effect is known outside; absent where the call only reads. */
      readonly requestId?: string;
      readonly ran?: string;
      readonly at: number;
    }
  | ({
      readonly kind: "out";
      readonly call: number;
      readonly note?: string;
      /** The call of a former run whose outcome this is. */
      readonly reused?: string;
      readonly at: number;
    } & Spans &
      Ended)
  | ({ readonly kind: "late"; readonly call: number; readonly at: number } & Ended)
  | { readonly kind: "turn"; readonly turn: number; readonly now: number; readonly seqs: readonly number[] }
  /** A timer that the program asked for; it runs from `at`, apart from the time in which the run is suspended. */
  | { readonly kind: "timer"; readonly seq: number; readonly ms: number; readonly at: number }
  /** What was seen of the program after so many `turn` entries: a digest of all that it asked for and printed. */
  | { readonly kind: "saw"; readonly turns: number; readonly digest: string; readonly cpuMs: number }
  /** Only people are waited for, from then until the next `resume`. */
  | { readonly kind: "suspend"; readonly now: number }
  /** A host went on with the run. */
  | { readonly kind: "resume"; readonly now: number }
  /** `json`: the value, or the error. */
  | {
      readonly kind: "end";
      readonly status: string;
      readonly code?: string;
      readonly json?: string;
      /** `state` as the program left it, JSON text, where it changed it and it can be kept. */
      readonly state?: string;
      readonly at: number;
    };

export type Verdict = "allow" | "refuse" | "cancel" | "ask";

interface Spans {
  readonly queuedMs: number;
  readonly ranMs: number;
  readonly humanMs: number;
}

interface Ended {
  readonly status: Status;
  readonly effect: EffectState;
  readonly json?: string;
  readonly bytes?: number;
  readonly failure?: Failure;
}

export interface ProgramPins {
  /** The compiled text: what runs, whatever compiled it. */
  readonly js: string;
  /** The model's text, and what leads from places in `js` to it: for messages alone. */
  readonly source: string;
  readonly map: unknown;
  readonly seed: readonly number[];
  /** `state` as the program found it, JSON text; an empty object where it is absent. */
  readonly state?: string;
  readonly startedAt: number;
  /** Names and aliases in the order of their numbers. */
  readonly tools: readonly { readonly name: string; readonly alias?: string }[];
  readonly limits: Readonly<Record<string, number>>;
  readonly engine: { readonly node: string; readonly v8: string; readonly bootstrap: string };
}

/** What is known of a run when it starts. */
export interface RunHeader {
  readonly runId: string;
  readonly tenant: string;
  readonly session: string;
  /** The number of the turn in its session, from 1. */
  readonly turn: number;
  readonly kind: "program" | "dispatch" | "call";
  /** All that a program's course depends on beside the outcomes of its calls. */
  readonly program?: ProgramPins;
  /** The failed run whose completed calls answer for it. */
  readonly continues?: string;
  /** The planned action that it executes: its write is known outside by that, whichever run executes it. */
  readonly action?: string;
  readonly surface: string;
  readonly at: number;
}

/** A write that another run started under the same request id; without an outcome it is under way, or was interrupted. */
export interface SentElsewhere {
  readonly callId: string;
  readonly outcome?: Outcome;
}

export interface RunLog {
  readonly header: RunHeader;
  /** Whether its entries outlive the process once they are committed. */
  readonly isDurable: boolean;
  append(entry: JournalEntry): void;
  /** Resolves once all entries so far are durable; `undefined` where they already are. */
  commit(): Promise<void> | undefined;
  entries(): readonly JournalEntry[];
  /** What another run did under this request id, once the start of a write under it is durable. */
  elsewhere?(requestId: string): SentElsewhere | undefined;
  /** It was suspended, and nobody answered in time. */
  readonly isExpired?: boolean;
  /** Aborted, with a `Fault`, once another process has taken the run over: nothing that is done here is written down any more. */
  readonly taken?: AbortSignal;
  /** This process is done with the run: another one may go on with it. */
  close(): Promise<void>;
}

export interface Journal {
  readonly isDurable: boolean;
  open(header: RunHeader): RunLog;
  /** Takes a run of a tenant over, with its entries; rejects with `run_not_found`, with `run_claimed` while another process works on it, and with what the store rejects with. */
  resume(tenant: string, runId: string): Promise<RunLog>;
  /** Reads a run without taking it over; rejects likewise. */
  read(tenant: string, runId: string): Promise<ReadRun>;
}

export interface ReadRun {
  readonly header: RunHeader;
  readonly entries: readonly JournalEntry[];
}

const notFound = (_tenant: string, runId: string): Promise<never> =>
  Promise.reject(
    new Fault("run_not_found", `no run ${runId} is kept here`, {
      hint: "give the runtime a store, as in createRuntime({ store: sqliteStore({ path }) })",
    }),
  );

/** Keeps entries as long as the log is held; durable as long as the process lives. */
export function createMemoryJournal(): Journal {
  return {
    isDurable: false,
    resume: notFound,
    read: notFound,
    open(header) {
      const entries: JournalEntry[] = [];
      return {
        header,
        isDurable: false,
        append: (entry) => void entries.push(entry),
        commit: () => undefined,
        entries: () => entries,
        close: () => Promise.resolve(),
      };
    },
  };
}
