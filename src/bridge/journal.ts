// What happened, in the order in which it happened: entries are only ever appended, and a commit makes all before it durable.
import type { Failure } from "../errors.ts";
import type { EffectState, Status } from "./outcome.ts";

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
      /** The arguments as they crossed, JSON text. */
      readonly args: string;
      readonly at: number;
    }
  | {
      readonly kind: "decision";
      readonly call: number;
      readonly verdict: Verdict;
      readonly code: string;
      readonly sentence: string;
      readonly at: number;
    }
  | {
      readonly kind: "intent";
      readonly call: number;
      readonly attempt: number;
      readonly ran?: string;
      readonly at: number;
    }
  | ({ readonly kind: "out"; readonly call: number; readonly note?: string; readonly at: number } & Spans & Ended)
  | ({ readonly kind: "late"; readonly call: number; readonly at: number } & Ended)
  | { readonly kind: "turn"; readonly turn: number; readonly now: number; readonly seqs: readonly number[] }
  | { readonly kind: "end"; readonly status: string; readonly code?: string; readonly at: number };

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
  readonly seed: readonly number[];
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
  readonly surface: string;
  readonly at: number;
}

export interface RunLog {
  readonly header: RunHeader;
  append(entry: JournalEntry): void;
  /** Resolves once all entries so far are durable; `undefined` where they already are. */
  commit(): Promise<void> | undefined;
  entries(): readonly JournalEntry[];
}

export interface Journal {
  open(header: RunHeader): RunLog;
}

/** Keeps entries as long as the log is held; durable as long as the process lives. */
export function createMemoryJournal(): Journal {
  return {
    open(header) {
      const entries: JournalEntry[] = [];
      return {
        header,
        append: (entry) => void entries.push(entry),
        commit: () => undefined,
        entries: () => entries,
      };
    },
  };
}
