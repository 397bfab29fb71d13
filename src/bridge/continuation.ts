// A program that continues a failed run: what the former completed is answered from its record and not run again. Writes are
// matched by tool, arguments and occurrence, in any order; reads only where the same completed writes came before them, as
// they tell of the world as it was then.
import type { JournalEntry } from "./journal.ts";
import { keyOfCall } from "./call-key.ts";
import { type Failed, isSuccess, type Outcome, type Success } from "./outcome.ts";
import { outcomeOf, readRecorded, type RecordedCall } from "./recorded.ts";
import { callIdOf } from "./record.ts";

/** What a call of the new program gets from the former run. */
export interface Reused {
  readonly outcome: Outcome;
  /** The call of the former run. */
  readonly callId: string;
}

export interface Continuation {
  readonly runId: string;
  /** Asked once for each call of the new program, in the order of asking; `undefined` where the call has to run. */
  reuse(call: {
    readonly tool: string;
    readonly source: string;
    readonly args: string;
    readonly writes: boolean;
  }): Reused | undefined;
  /** What the model should hear of how the new program differs, once it is over. */
  warnings(): readonly string[];
}

interface Former {
  readonly call: RecordedCall;
  readonly outcome: Success | Failed;
  /** From 0, among the writes that completed. */
  readonly order: number;
  used: boolean;
}

interface FormerRead {
  readonly call: RecordedCall;
  readonly outcome: Success;
  /** How many writes had completed before it. */
  readonly after: number;
  used: boolean;
}

const isWrite = (outcome: Outcome): boolean => outcome.effect !== "none" || outcome.status === "unknown";

export function continueFrom(runId: string, entries: readonly JournalEntry[]): Continuation {
  const { writes, reads, all } = formerCalls(entries);
  /** Writes answered so far, and the latest of them in the order of the former run. */
  let answered = 0;
  let latest = -1;
  let isLive = false;
  let aheadOf: string | undefined;
  let reordered: string | undefined;

  const left = (): readonly Former[] => all.filter(({ used, outcome }) => !used && isSuccess(outcome));

  function reuseWrite(key: string, mayWrite: boolean): Reused | undefined {
    const former = writes.get(key)?.find(({ used, outcome }) => !used && (mayWrite || isSuccess(outcome)));
    if (former === undefined) return undefined;
    former.used = true;
    if (isSuccess(former.outcome)) {
      if (latest > former.order) reordered ??= nameOf(former.call);
      latest = Math.max(latest, former.order);
      answered += 1;
    }
    return { outcome: former.outcome, callId: callIdOf(runId, former.call.call) };
  }

  function reuseRead(key: string): Reused | undefined {
    // The same writes as then: so many, and none from further on.
    if (isLive || latest + 1 !== answered) return undefined;
    const former = reads.get(key)?.find((read) => !read.used && read.after === answered);
    if (former === undefined) return undefined;
    former.used = true;
    return { outcome: former.outcome, callId: callIdOf(runId, former.call.call) };
  }

  return {
    runId,
    reuse({ tool, source, args, writes: mayWrite }) {
      const key = keyOfCall(source, tool, args);
      const reused = reuseWrite(key, mayWrite) ?? (mayWrite ? undefined : reuseRead(key));
      if (reused !== undefined) return reused;
      if (left().length > 0) aheadOf ??= tool;
      if (mayWrite) isLive = true;
      return undefined;
    },
    warnings() {
      const told: string[] = [];
      const missing = left();
      if (missing.length > 0) {
        const names = missing
          .slice(0, 10)
          .map(({ call }) => nameOf(call))
          .join(", ");
        const more = missing.length > 10 ? `, and ${missing.length - 10} more` : "";
        told.push(`${runId} completed writes that this program did not ask for: ${names}${more}; they stay done`);
      }
      if (aheadOf !== undefined) {
        told.push(`${aheadOf} ran while completed writes of ${runId} were still to come, so it saw what they had done`);
      }
      if (reordered !== undefined)
        told.push(`writes of ${runId} were asked for in another order, from ${reordered} on`);
      return told;
    },
  };
}

const nameOf = ({ call, tool }: RecordedCall): string => `#${call} ${tool}`;

interface FormerCalls {
  readonly writes: ReadonlyMap<string, Former[]>;
  readonly reads: ReadonlyMap<string, FormerRead[]>;
  readonly all: readonly Former[];
}

/** A call while it ran. */
interface Span {
  /** How many writes had completed when it started. */
  readonly after: number;
  /** Calls that ran beside it. */
  readonly beside: Set<number>;
}

/** Goes through what happened in its order, so that each read knows which writes had completed and that none was under way. */
function formerCalls(entries: readonly JournalEntry[]): FormerCalls {
  const { calls } = readRecorded(entries);
  const writes = new Map<string, Former[]>();
  const reads = new Map<string, FormerRead[]>();
  const all: Former[] = [];
  const running = new Map<number, Span>();
  const wrote = new Set<number>();
  const read: { readonly call: RecordedCall; readonly outcome: Success; readonly span: Span }[] = [];
  let done = 0;

  for (const entry of entries) {
    if (entry.kind === "intent" && !running.has(entry.call)) {
      const beside = new Set(running.keys());
      for (const other of running.values()) other.beside.add(entry.call);
      running.set(entry.call, { after: done, beside });
    } else if (entry.kind === "out") {
      const call = calls[entry.call - 1];
      const span = running.get(entry.call) ?? { after: done, beside: new Set<number>() };
      running.delete(entry.call);
      if (call === undefined || call.parent !== undefined) continue;
      const outcome = outcomeOf(entry);
      if (isWrite(outcome)) {
        wrote.add(call.call);
        if (isSuccess(outcome)) keepWrite(call, outcome, done++);
        else if (outcome.effect === "unknown") keepWrite(call, outcome, -1);
      } else if (isSuccess(outcome)) read.push({ call, outcome, span });
    }
  }
  for (const number of running.keys()) {
    wrote.add(number);
    const call = calls[number - 1];
    if (call !== undefined && call.parent === undefined) keepWrite(call, interrupted(call), -1);
  }
  for (const { call, outcome, span } of read) {
    // What ran beside a write may have seen it or not.
    if (![...span.beside].some((other) => wrote.has(other))) {
      push(reads, keyOfCall(call.source, call.original, call.args), { call, outcome, after: span.after, used: false });
    }
  }
  return { writes, reads, all };

  function keepWrite(call: RecordedCall, outcome: Success | Failed, order: number): void {
    const former: Former = { call, outcome, order, used: false };
    all.push(former);
    push(writes, keyOfCall(call.source, call.original, call.args), former);
  }
}

/** The outcome of a call that had started when its process was lost. */
export const interrupted = ({ tool }: Pick<RecordedCall, "tool">): Failed => ({
  status: "unknown",
  effect: "unknown",
  failure: {
    code: "outcome_unknown",
    message: `${tool} had started when the process that ran it was lost; whether it took effect is not known`,
    hint: "find out with a call that reads before you do it again",
  },
});

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
