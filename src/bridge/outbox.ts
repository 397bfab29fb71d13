// The outbox: every write that a run starts is reserved for its tenant under its request id, in one step with the entry that
// tells of the start, and settled in one step with its outcome. What is not known stays unsettled. Of its own writes a run
// knows by its log; the outbox tells it what another run did under the same id.
import { readEntry, writeEntry } from "./entry-text.ts";
import type { JournalEntry, SentElsewhere } from "./journal.ts";
import type { Outcome } from "./outcome.ts";
import { callIdOf } from "./record.ts";
import { outcomeOf } from "./recorded.ts";
import type { RequestWrite, Reservation } from "./stores/store.ts";

export interface Outbox {
  /** What is to be written together with these entries, which follow those of earlier times. */
  requestsOf(entries: readonly JournalEntry[]): readonly RequestWrite[];
  /** Takes the answers to what these requests reserved. */
  answered(requests: readonly RequestWrite[], reservations: readonly Reservation[]): void;
  elsewhere(requestId: string): SentElsewhere | undefined;
}

/** With what its log holds already. */
export function createOutbox(runId: string, known: readonly JournalEntry[]): Outbox {
  /** Of calls that were started and are not settled. */
  const started = new Map<number, string>();
  const reserved = new Set<string>();
  const others = new Map<string, SentElsewhere>();

  function requestsOf(entries: readonly JournalEntry[]): RequestWrite[] {
    const requests: RequestWrite[] = [];
    const reserve = (requestId: string, call: number): void => {
      if (reserved.has(requestId)) return;
      reserved.add(requestId);
      requests.push({ kind: "reserve", requestId, call });
    };
    for (const entry of entries) {
      if (entry.kind === "intent" && entry.requestId !== undefined) {
        started.set(entry.call, entry.requestId);
        reserve(entry.requestId, entry.call);
      } else if (entry.kind === "out" || entry.kind === "late") {
        const requestId = started.get(entry.call);
        if (requestId === undefined || entry.effect === "unknown") continue;
        started.delete(entry.call);
        reserve(requestId, entry.call);
        requests.push({ kind: "settle", requestId, outcome: writeEntry({ ...entry, kind: "out", ...spans }) });
      }
    }
    return requests;
  }

  requestsOf(known);
  // What an earlier process reserved may have been purged since.
  reserved.clear();
  return {
    requestsOf,
    answered(requests, reservations) {
      const reserves = requests.filter((request) => request.kind === "reserve");
      for (const [index, { requestId }] of reserves.entries()) {
        const answer = reservations[index];
        if (answer === undefined || answer.first || answer.runId === runId) continue;
        others.set(requestId, {
          callId: callIdOf(answer.runId, answer.call),
          ...(answer.outcome === undefined ? {} : { outcome: readOutcome(answer.outcome) }),
        });
      }
    },
    elsewhere: (requestId) => others.get(requestId),
  };
}

const spans = { queuedMs: 0, ranMs: 0, humanMs: 0 };

const readOutcome = (written: string): Outcome => outcomeOf(readEntry(written) as JournalEntry & { kind: "out" });
