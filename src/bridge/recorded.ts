// Where a program stood, read from its log: what it asked for and how that ended, what it was given and in which order.
import type { Caller, JournalEntry, Verdict } from "./journal.ts";
import { keyOfCall } from "./call-key.ts";
import type { Outcome } from "./outcome.ts";

/** What was decided of a call last: by the policies, or by a person. */
export interface RecordedDecision {
  readonly verdict: Verdict;
  readonly code: string;
  readonly sentence: string;
  /** JSON text, where a person changed the arguments. */
  readonly args?: string;
}

export interface RecordedCall {
  /** From 1, in the order asked. */
  readonly call: number;
  /** The guest's own number of a program's call. */
  readonly seq?: number;
  readonly parent?: number;
  readonly caller: Caller;
  readonly tool: string;
  readonly source: string;
  /** The tool's name at its source. */
  readonly original: string;
  /** JSON text, as it crossed. */
  readonly args: string;
  /** What was asked of a person, and what the first one said. */
  readonly asked?: RecordedDecision;
  readonly answer?: unknown;
  readonly decision?: RecordedDecision;
  /** How often it was started; 0 where it never was. */
  readonly attempts: number;
  /** The key under which its effect is known outside, where it was started and may have one. */
  readonly requestId?: string;
  readonly ended?: { readonly outcome: Outcome; /** Its place among all that ended. */ readonly place: number };
}

/** Settlements that one message gave to the program, by its own numbers. */
export interface RecordedTurn {
  /** ms since 1970. */
  readonly now: number;
  readonly seqs: readonly number[];
}

export interface RecordedTimer {
  readonly ms: number;
  /** ms since 1970, moved on by the time in which the run was suspended. */
  readonly at: number;
}

/** What was seen of the program after the first so many turns. */
export interface RecordedCourse {
  readonly turns: number;
  readonly digest: string;
  readonly cpuMs: number;
}

export interface Recorded {
  /** In the order asked. */
  readonly calls: readonly RecordedCall[];
  readonly bySeq: ReadonlyMap<number, RecordedCall>;
  readonly turns: readonly RecordedTurn[];
  /** All that were asked for, by the guest's own numbers. */
  readonly timers: ReadonlyMap<number, RecordedTimer>;
  readonly course?: RecordedCourse;
  readonly suspended: boolean;
  readonly end?: JournalEntry & { readonly kind: "end" };
}

type Draft<T> = { -readonly [key in keyof T]: T[key] };

export function readRecorded(entries: readonly JournalEntry[], now: number = Date.now()): Recorded {
  const calls: Draft<RecordedCall>[] = [];
  const bySeq = new Map<number, RecordedCall>();
  const turns: RecordedTurn[] = [];
  const timers = new Map<number, Draft<RecordedTimer>>();
  const stretches: { from: number; to: number }[] = [];
  const read: Draft<Recorded> = { calls, bySeq, turns, timers, suspended: false };
  let ended = 0;

  for (const entry of entries) {
    switch (entry.kind) {
      case "ask": {
        const { kind: _, call, at: _at, ...rest } = entry;
        const draft: Draft<RecordedCall> = { ...rest, original: entry.original ?? entry.tool, call, attempts: 0 };
        calls[call - 1] = draft;
        if (entry.seq !== undefined) bySeq.set(entry.seq, draft);
        break;
      }
      case "decision": {
        const draft = calls[entry.call - 1];
        if (draft === undefined) break;
        const { verdict, code, sentence, args } = entry;
        const decision = { verdict, code, sentence, ...(args === undefined ? {} : { args }) };
        if (verdict === "ask") draft.asked = decision;
        else draft.decision = decision;
        break;
      }
      case "answer": {
        const draft = calls[entry.call - 1];
        if (draft !== undefined && !("answer" in draft)) draft.answer = entry.given;
        break;
      }
      case "intent": {
        const draft = calls[entry.call - 1];
        if (draft === undefined) break;
        draft.attempts = entry.attempt;
        if (entry.requestId !== undefined) draft.requestId = entry.requestId;
        break;
      }
      case "out": {
        const draft = calls[entry.call - 1];
        if (draft !== undefined && draft.ended === undefined)
          draft.ended = { outcome: outcomeOf(entry), place: ended++ };
        break;
      }
      case "turn":
        turns.push({ now: entry.now, seqs: entry.seqs });
        break;
      case "timer":
        timers.set(entry.seq, { ms: entry.ms, at: entry.at });
        break;
      case "saw":
        read.course = { turns: entry.turns, digest: entry.digest, cpuMs: entry.cpuMs };
        break;
      case "suspend":
        read.suspended = true;
        stretches.push({ from: entry.now, to: now });
        break;
      case "resume": {
        read.suspended = false;
        const last = stretches.at(-1);
        if (last !== undefined && last.to === now) last.to = entry.now;
        break;
      }
      case "end":
        read.end = entry;
        break;
      case "late":
        break;
    }
  }
  for (const timer of timers.values()) {
    // Timers stop while only a person is waited for.
    for (const { from, to } of stretches) if (timer.at <= from) timer.at += Math.max(0, to - from);
  }
  return read;
}

/** The outcome of a call as it was settled. */
export function outcomeOf(entry: JournalEntry & { readonly kind: "out" }): Outcome {
  const { status, effect, json, bytes, failure, note } = entry;
  if (status === "ok" || status === "planned" || status === "pending") {
    const text = json ?? "null";
    return {
      status,
      effect,
      json: text,
      bytes: bytes ?? Buffer.byteLength(text),
      ...(note === undefined ? {} : { note }),
    };
  }
  return {
    status,
    effect,
    failure: failure ?? { code: "internal_error", message: "the record does not say why it failed" },
  };
}

/** Keys of the writes of which it is not known whether they took effect. */
export const unknownWrites = ({ calls }: Recorded): readonly string[] =>
  calls
    .filter(({ ended }) => ended?.outcome.effect === "unknown")
    .map(({ source, original, args }) => keyOfCall(source, original, args));
