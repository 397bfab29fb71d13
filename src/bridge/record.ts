// The record is a view of the journal: one entry a call, in the order asked, whatever the order of finishing.
import { Fault, type Failure } from "../errors.ts";
import { parseJson } from "../json.ts";
import type { Caller, JournalEntry, RunLog, Verdict } from "./journal.ts";
import type { EffectState, Status } from "./outcome.ts";

export interface RecordEntry {
  readonly runId: string;
  readonly tenant: string;
  readonly session: string;
  readonly turn: number;
  /** From 1, in the order asked. */
  readonly seq: number;
  /** That of the first call where the model made one again. */
  readonly callId: string;
  /** The call whose running tool made this one. */
  readonly parent?: string;
  readonly caller: Caller;
  readonly tool: string;
  readonly source: string;
  /** As sent. */
  readonly args: unknown;
  /** What ran, where it differs from what was sent. */
  readonly ran?: unknown;
  readonly decision: { readonly verdict: Verdict; readonly code: string; readonly sentence: string };
  readonly status: Status | "running";
  readonly effect: EffectState;
  readonly failure?: Failure;
  readonly attempts: number;
  readonly queuedMs: number;
  readonly ranMs: number;
  readonly humanMs: number;
  /** The settlement of the program, from 1, that delivered the outcome; absent where it was never delivered. */
  readonly settledIn?: number;
  readonly resultBytes: number;
  readonly truncated: boolean;
  /** The model had made the same call before in the turn: nothing ran, and the first one's outcome stands here too. */
  readonly deduplicated?: true;
  /** The call of a former run whose outcome this is: it was not made again. */
  readonly reused?: string;
  /** What the model should hear of a call that went on all the same. */
  readonly note?: string;
  /** How a call that did not answer its signal really ended. */
  readonly late?: { readonly status: Status; readonly effect: EffectState; readonly failure?: Failure };
}

type Draft = { -readonly [key in keyof RecordEntry]: RecordEntry[key] };

const undecided = { verdict: "allow", code: "undecided", sentence: "the call ended before it was decided" } as const;

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

export const callIdOf = (runId: string, call: number): string => `${runId}.${call}`;

function opened(log: Pick<RunLog, "header">, entry: JournalEntry & { kind: "ask" }): Draft {
  const { runId, tenant, session, turn } = log.header;
  return {
    runId,
    tenant,
    session,
    turn,
    seq: entry.call,
    callId: entry.repeats ?? callIdOf(runId, entry.call),
    ...(entry.repeats === undefined ? {} : { deduplicated: true }),
    ...(entry.parent === undefined ? {} : { parent: callIdOf(runId, entry.parent) }),
    caller: entry.caller,
    tool: entry.tool,
    source: entry.source,
    args: parse(entry.args),
    decision: undecided,
    status: "running",
    effect: "none",
    attempts: 0,
    queuedMs: 0,
    ranMs: 0,
    humanMs: 0,
    resultBytes: 0,
    truncated: false,
  };
}

function apply(draft: Draft, entry: JournalEntry): void {
  if (entry.kind === "decision") {
    draft.decision = { verdict: entry.verdict, code: entry.code, sentence: entry.sentence };
    draft.status = entry.verdict === "ask" ? "pending" : "running";
  } else if (entry.kind === "intent") {
    draft.attempts = entry.attempt;
    if (entry.ran !== undefined) draft.ran = parse(entry.ran);
  } else if (entry.kind === "out") {
    draft.status = entry.status;
    draft.effect = entry.effect;
    draft.queuedMs = entry.queuedMs;
    draft.ranMs = entry.ranMs;
    draft.humanMs = entry.humanMs;
    draft.resultBytes = entry.bytes ?? 0;
    draft.truncated = entry.failure?.code === "result_too_large";
    if (entry.note !== undefined) draft.note = entry.note;
    if (entry.reused !== undefined) draft.reused = entry.reused;
    if (entry.failure !== undefined) draft.failure = entry.failure;
  } else if (entry.kind === "late") {
    draft.late = {
      status: entry.status,
      effect: entry.effect,
      ...(entry.failure === undefined ? {} : { failure: entry.failure }),
    };
  }
}

/** The record of one run as it stands now. */
export function recordOf(log: Pick<RunLog, "header" | "entries">): readonly RecordEntry[] {
  const drafts: Draft[] = [];
  const bySeq = new Map<number, Draft>();
  for (const entry of log.entries()) {
    if (entry.kind === "ask") {
      const draft = opened(log, entry);
      drafts.push(draft);
      if (entry.seq !== undefined) bySeq.set(entry.seq, draft);
    } else if (entry.kind === "turn") {
      for (const [position, seq] of entry.seqs.entries()) {
        const draft = bySeq.get(seq);
        if (draft !== undefined) draft.settledIn = entry.turn + position;
      }
    } else if ("call" in entry) {
      const draft = drafts[entry.call - 1];
      if (draft !== undefined) apply(draft, entry);
    }
  }
  return drafts.map((draft) => Object.freeze(draft));
}

/** One JSON object a line. */
export function toJsonl(entries: readonly RecordEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Reads what `toJsonl` wrote; throws `invalid_options` naming the line that is no record entry. */
export function fromJsonl(text: string): readonly RecordEntry[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const entry = parse(line) as Partial<RecordEntry> | null;
    if (
      typeof entry !== "object" ||
      entry === null ||
      typeof entry.callId !== "string" ||
      typeof entry.seq !== "number"
    ) {
      throw new Fault("invalid_options", `line ${index + 1} of the record is no record entry: ${line.slice(0, 80)}`);
    }
    return Object.freeze(entry as RecordEntry);
  });
}
