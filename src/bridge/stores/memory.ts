// A store that lives as long as the process: the measure of the others, and what is used where none is given.
import { bounds } from "../../limits.ts";
import { checked } from "./checked.ts";
import { conflict, fenced, notReserved, runClaimed, runExists, runNotFound } from "./refusals.ts";
import type { Claimant, Content, Document, NewRun, Reservation, RunStatus, RunSummary, Store } from "./store.ts";

interface Run extends NewRun {
  status: RunStatus;
  updatedAt: number;
  expiresAt: number | undefined;
  epoch: number;
  claim: { readonly owner: string; readonly until: number } | undefined;
  readonly entries: string[];
}

interface Request {
  readonly tenant: string;
  readonly runId: string;
  readonly call: number;
  readonly at: number;
  outcome: string | undefined;
}

/** `body: undefined`: removed; the version stays, so that it never comes again. */
interface Kept extends Omit<Document, "body"> {
  readonly tenant: string;
  readonly kind: string;
  readonly body: string | undefined;
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

const present = (document: Kept | undefined): document is Kept & Document => document?.body !== undefined;

const documentOf = ({ id, body, version, session, at }: Kept & Document): Document => ({
  id,
  body,
  version,
  ...(session === undefined ? {} : { session }),
  at,
});

const summaryOf = ({ tenant, runId, session, status, at, updatedAt, entries, expiresAt, claim }: Run): RunSummary => ({
  tenant,
  runId,
  session,
  status,
  at,
  updatedAt,
  entries: entries.length,
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(claim === undefined ? {} : { claim }),
});

const claimOf = ({ owner, ttlMs, now }: Claimant): { owner: string; until: number } => ({ owner, until: now + ttlMs });

/** Newest first; ids as bytes, as a database compares them. */
const newer = (a: { at: number; runId: string }, b: { at: number; runId: string }): number =>
  b.at - a.at || Buffer.compare(Buffer.from(b.runId), Buffer.from(a.runId));

export function memoryStore(): Store {
  const runs = new Map<string, Run>();
  const requests = new Map<string, Request>();
  const documents = new Map<string, Kept>();

  function find(tenant: string, runId: string): Run {
    const run = runs.get(keyOf(tenant, runId));
    if (run === undefined) throw runNotFound(tenant, runId);
    return run;
  }

  function reserve(tenant: string, requestId: string, by: Omit<Request, "tenant" | "outcome">): Reservation {
    const key = keyOf(tenant, requestId);
    const known = requests.get(key);
    if (known !== undefined) {
      const { runId, call, at, outcome } = known;
      return { first: false, runId, call, at, ...(outcome === undefined ? {} : { outcome }) };
    }
    const [oldest] = requests.size < bounds.memoryRequests ? [] : requests.keys();
    if (oldest !== undefined) requests.delete(oldest);
    requests.set(key, { tenant, ...by, outcome: undefined });
    return { first: true };
  }

  function settle(tenant: string, requestId: string, outcome: string): string {
    const request = requests.get(keyOf(tenant, requestId));
    if (request === undefined) throw notReserved(tenant, requestId);
    request.outcome ??= outcome;
    return request.outcome;
  }

  /** All or nothing: what could be refused is looked at first. */
  function write(run: Run, content: Content): Reservation[] {
    const { tenant, runId } = run;
    const wanted = content.requests ?? [];
    const known = new Set<string>();
    for (const { kind, requestId } of wanted) {
      if (kind === "reserve") known.add(requestId);
      else if (!known.has(requestId) && !requests.has(keyOf(tenant, requestId))) throw notReserved(tenant, requestId);
    }
    run.entries.push(...content.entries);
    run.updatedAt = content.at;
    if (content.status !== undefined) {
      run.status = content.status;
      run.expiresAt = content.expiresAt;
    }
    const reservations: Reservation[] = [];
    for (const request of wanted) {
      if (request.kind === "settle") settle(tenant, request.requestId, request.outcome);
      else reservations.push(reserve(tenant, request.requestId, { runId, call: request.call, at: content.at }));
    }
    return reservations;
  }

  return checked({
    isDurable: false,
    ready: async () => undefined,
    async create(given, claim, content = { entries: [], at: given.at }) {
      const { tenant, runId, session, at, header } = given;
      const key = keyOf(tenant, runId);
      if (runs.has(key)) throw runExists(tenant, runId);
      const state = { status: "running" as const, updatedAt: at, expiresAt: undefined, epoch: 1 };
      const run: Run = { tenant, runId, session, at, header, ...state, claim: claimOf(claim), entries: [] };
      const reservations = write(run, content);
      runs.set(key, run);
      return { epoch: 1, reservations };
    },
    async append(tenant, runId, given) {
      const run = find(tenant, runId);
      const next = run.entries.length + 1;
      const held = run.claim !== undefined;
      if (run.epoch !== given.epoch || next !== given.from || !held) {
        throw fenced(tenant, runId, { epoch: given.epoch, next: given.from }, { epoch: run.epoch, next, held });
      }
      return { epoch: run.epoch, reservations: write(run, given) };
    },
    async load(tenant, runId) {
      const run = find(tenant, runId);
      return { ...summaryOf(run), epoch: run.epoch, header: run.header, entries: [...run.entries] };
    },
    async claim(tenant, runId, claim) {
      const run = find(tenant, runId);
      const { claim: held } = run;
      if (held !== undefined && held.owner !== claim.owner && held.until > claim.now) {
        throw runClaimed(tenant, runId, held.owner, held.until);
      }
      run.claim = claimOf(claim);
      run.epoch += 1;
      return run.epoch;
    },
    async renew(tenant, runId, claim) {
      const run = find(tenant, runId);
      const next = run.entries.length + 1;
      const held = run.claim !== undefined;
      if (run.epoch !== claim.epoch || !held) {
        throw fenced(tenant, runId, { epoch: claim.epoch, next }, { epoch: run.epoch, next, held });
      }
      run.claim = claimOf(claim);
    },
    async release(tenant, runId, epoch) {
      const run = runs.get(keyOf(tenant, runId));
      if (run?.epoch === epoch) run.claim = undefined;
    },
    async list({ tenant, session, status, before, limit }) {
      return [...runs.values()]
        .filter(
          (run) =>
            run.tenant === tenant &&
            (session === undefined || run.session === session) &&
            (status === undefined || run.status === status) &&
            (before === undefined || newer(before, run) < 0),
        )
        .sort(newer)
        .slice(0, limit)
        .map(summaryOf);
    },
    reserve: async (tenant, requestId, { runId, call, at }) => reserve(tenant, requestId, { runId, call, at }),
    settleRequest: async (tenant, requestId, outcome) => settle(tenant, requestId, outcome),
    async get(tenant, kind, id) {
      const document = documents.get(keyOf(tenant, kind, id));
      return present(document) ? documentOf(document) : undefined;
    },
    async put(tenant, kind, id, body, expected, { session, at }) {
      const key = keyOf(tenant, kind, id);
      const old = documents.get(key);
      const current = present(old) ? old.version : undefined;
      if (current !== expected) throw conflict(tenant, kind, id, expected, current);
      const version = (old?.version ?? 0) + 1;
      documents.set(key, { tenant, kind, id, body, version, ...(session === undefined ? {} : { session }), at });
      return version;
    },
    async remove(tenant, kind, id, expected) {
      const key = keyOf(tenant, kind, id);
      const old = documents.get(key);
      const current = present(old) ? old.version : undefined;
      if (expected !== undefined && current !== expected) throw conflict(tenant, kind, id, expected, current);
      if (old === undefined || current === undefined) return false;
      documents.set(key, { ...old, body: undefined, version: current + 1 });
      return true;
    },
    async listDocuments(tenant, kind, prefix = "") {
      return [...documents.values()]
        .filter((one) => one.tenant === tenant && one.kind === kind && one.id.startsWith(prefix))
        .filter(present)
        .map(documentOf)
        .sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
    },
    async purge({ tenant, session, before, now }) {
      const counts = { runs: 0, expired: 0, requests: 0, documents: 0 };
      const isMeant = (one: { tenant: string; session?: string }): boolean =>
        one.tenant === tenant && (session === undefined || one.session === session);
      const isOld = (at: number): boolean => before === undefined || at < before;
      const gone = new Set<string>();
      for (const [key, run] of runs) {
        if (!isMeant(run) || (run.claim !== undefined && run.claim.until > now)) continue;
        const isExpired = run.status === "suspended" && run.expiresAt !== undefined && run.expiresAt <= now;
        if (!isExpired && !isOld(run.updatedAt)) continue;
        runs.delete(key);
        gone.add(run.runId);
        counts.runs += 1;
        if (isExpired) counts.expired += 1;
      }
      for (const [key, request] of requests) {
        if (request.tenant !== tenant) continue;
        const isOrphan = session === undefined && isOld(request.at) && !runs.has(keyOf(tenant, request.runId));
        if (!gone.has(request.runId) && !isOrphan) continue;
        requests.delete(key);
        counts.requests += 1;
      }
      for (const [key, document] of documents) {
        if (!isMeant(document) || !isOld(document.at)) continue;
        documents.delete(key);
        if (present(document)) counts.documents += 1;
      }
      return counts;
    },
    close: async () => undefined,
  });
}
