// Logs over a store. Entries wait in memory; a commit writes all that wait, in order and in one step, so that what is durable is
// always a beginning of the log. Commits that come while one is under way share the next one.
import { Fault, messageOf } from "../errors.ts";
import { readRun, writeEntry } from "./entry-text.ts";
import type { Journal, JournalEntry, RunHeader, RunLog } from "./journal.ts";
import { createOutbox } from "./outbox.ts";
import type { RunStatus, Store } from "./stores/store.ts";

export interface StoreJournalOptions {
  readonly store: Store;
  /** Who works on the runs: another one for each process. */
  readonly owner: string;
  /** How long a run stays this owner's without a sign of life, in ms. */
  readonly claimMs: number;
  /** How long a suspended run waits for its answers, in ms. */
  readonly suspendedMs: number;
}

export function createStoreJournal(options: StoreJournalOptions): Journal {
  const { store, owner, claimMs } = options;
  return {
    isDurable: store.isDurable,
    open: (header) => openLog(options, header, [], undefined),
    async resume(tenant, runId) {
      const epoch = await store.claim(tenant, runId, { owner, ttlMs: claimMs, now: Date.now() });
      try {
        const run = await store.load(tenant, runId);
        const { header, entries } = await readRun(run);
        const isExpired = run.status === "suspended" && run.expiresAt !== undefined && run.expiresAt <= Date.now();
        return { ...openLog(options, header, [...entries], epoch), isExpired };
      } catch (error) {
        await store.release(tenant, runId, epoch).catch(() => undefined);
        throw error;
      }
    },
    read: async (tenant, runId) => readRun(await store.load(tenant, runId)),
  };
}

function openLog(
  { store, owner, claimMs, suspendedMs }: StoreJournalOptions,
  header: RunHeader,
  entries: JournalEntry[],
  claimed: number | undefined,
): RunLog {
  const { tenant, runId, session, at } = header;
  let epoch = claimed;
  let written = entries.length;
  let sent = written;
  let writing: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let broken: Error | undefined;
  let isClosed = false;
  const taken = new AbortController();
  const outbox = createOutbox(runId, entries);
  const renewal = setInterval(() => void renew(), Math.max(10, claimMs / 3));
  renewal.unref();

  const claim = (): { owner: string; ttlMs: number; now: number } => ({ owner, ttlMs: claimMs, now: Date.now() });

  /** A run that somebody else has taken must not go on here. */
  function lose(error: Error): void {
    broken ??= error;
    if (error instanceof Fault && error.code === "store_fenced") taken.abort(error);
  }

  async function renew(): Promise<void> {
    if (epoch === undefined || isClosed) return;
    try {
      await store.renew(tenant, runId, { ...claim(), epoch });
    } catch (error) {
      if (error instanceof Fault && error.code === "store_fenced") lose(error);
    }
  }

  async function write(): Promise<void> {
    if (broken !== undefined) throw broken;
    const waiting = entries.slice(written);
    sent = entries.length;
    const now = Date.now();
    const status = statusAfter(waiting);
    const requests = outbox.requestsOf(waiting);
    try {
      const content = {
        entries: waiting.map(writeEntry),
        at: now,
        ...(status === undefined ? {} : { status }),
        ...(status === "suspended" ? { expiresAt: now + suspendedMs } : {}),
        ...(requests.length === 0 ? {} : { requests }),
      };
      const run = { tenant, runId, session, at, header: JSON.stringify(header) };
      const wrote =
        epoch === undefined
          ? await store.create(run, claim(), content)
          : await store.append(tenant, runId, { epoch, from: written + 1, ...content });
      ({ epoch } = wrote);
      outbox.answered(requests, wrote.reservations);
    } catch (error) {
      const reason = error instanceof Error ? error : new Fault("store_unavailable", messageOf(error));
      lose(reason);
      throw reason;
    }
    written += waiting.length;
  }

  function begin(): Promise<void> {
    next = undefined;
    writing = write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    header,
    isDurable: store.isDurable,
    append(entry) {
      entries.push(entry);
    },
    commit() {
      if (sent === entries.length && broken === undefined) return writing;
      if (writing === undefined) return begin();
      return (next ??= writing.then(begin, begin));
    },
    entries: () => entries,
    elsewhere: (requestId) => outbox.elsewhere(requestId),
    taken: taken.signal,
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(renewal);
      await (next ?? writing)?.catch(() => undefined);
      if (epoch !== undefined) await store.release(tenant, runId, epoch).catch(() => undefined);
    },
  };
}

const statuses: ReadonlySet<string> = new Set<RunStatus>(["completed", "failed", "cancelled"]);

/** What the last of these entries makes of the run. */
function statusAfter(entries: readonly JournalEntry[]): RunStatus | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.kind === "end") return statuses.has(entry.status) ? (entry.status as RunStatus) : "completed";
    if (entry.kind === "suspend") return "suspended";
    if (entry.kind === "resume") return "running";
  }
  return undefined;
}
