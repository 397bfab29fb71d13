// The edge of every store: arguments are checked here, once, and nothing reaches a store that is closed.
import { Fault } from "../../errors.ts";
import { bounds } from "../../limits.ts";
import { describe } from "../../options.ts";
import { closed } from "./refusals.ts";
import type { Content, Store } from "./store.ts";

function checkKey(what: string, value: unknown, bytes: number = bounds.keyBytes, empty = false): void {
  const wrong = (why: string): Fault =>
    new Fault("invalid_options", `${what} must be ${why}, got ${describe(value)}`, { details: { what } });
  if (typeof value !== "string" || (value === "" && !empty)) throw wrong("text that is not empty");
  if (Buffer.byteLength(value) > bytes) throw wrong(`at most ${bytes} bytes of UTF-8`);
  if (value.includes("\0") || !value.isWellFormed()) throw wrong("text without U+0000 and without lone surrogates");
}

function checkInteger(what: string, value: unknown, min = 0): void {
  if (!Number.isSafeInteger(value) || (value as number) < min) {
    throw new Fault("invalid_options", `${what} must be an integer from ${min}, got ${describe(value)}`);
  }
}

function checkContent({ at, expiresAt, requests = [] }: Content): void {
  checkInteger("the time of a write", at);
  if (expiresAt !== undefined) checkInteger("the time at which a run expires", expiresAt);
  for (const request of requests) {
    checkKey("the id of a request", request.requestId);
    if (request.kind === "reserve") checkInteger("the number of a call", request.call);
  }
}

function checkClaim({ owner, ttlMs, now }: { owner: string; ttlMs: number; now: number }): void {
  checkKey("the owner of a claim", owner);
  checkInteger("the span of a claim", ttlMs, 1);
  checkInteger("the time of a claim", now);
}

function checkRun(tenant: string, runId: string): void {
  checkKey("a tenant", tenant);
  checkKey("the id of a run", runId);
}

function checkDocument(tenant: string, kind: string, id: string, expected: number | undefined): void {
  checkKey("a tenant", tenant);
  checkKey("the kind of a document", kind);
  checkKey("the id of a document", id, bounds.documentIdBytes);
  if (expected !== undefined) checkInteger("the version of a document", expected, 1);
}

/** The store behind checks; each rejection for bad arguments is `invalid_options` and reaches no store. */
export function checked(store: Store): Store {
  const open = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  async function pass<T>(check: () => void, go: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw closed();
    check();
    const going = go();
    open.add(going);
    try {
      return await going;
    } finally {
      open.delete(going);
    }
  }
  async function close(): Promise<void> {
    await Promise.allSettled(open);
    await store.close();
  }
  return {
    isDurable: store.isDurable,
    ready: () =>
      pass(
        () => undefined,
        () => store.ready(),
      ),
    create: (run, claim, content) =>
      pass(
        () => {
          checkRun(run.tenant, run.runId);
          checkKey("a session", run.session, bounds.keyBytes, true);
          checkInteger("the time of a run", run.at);
          checkClaim(claim);
          if (content !== undefined) checkContent(content);
        },
        () => store.create(run, claim, content),
      ),
    append: (tenant, runId, write) =>
      pass(
        () => {
          checkRun(tenant, runId);
          checkInteger("an epoch", write.epoch, 1);
          checkInteger("the number of an entry", write.from, 1);
          checkContent(write);
        },
        () => store.append(tenant, runId, write),
      ),
    load: (tenant, runId) =>
      pass(
        () => checkRun(tenant, runId),
        () => store.load(tenant, runId),
      ),
    claim: (tenant, runId, claim) =>
      pass(
        () => {
          checkRun(tenant, runId);
          checkClaim(claim);
        },
        () => store.claim(tenant, runId, claim),
      ),
    renew: (tenant, runId, claim) =>
      pass(
        () => {
          checkRun(tenant, runId);
          checkClaim(claim);
          checkInteger("an epoch", claim.epoch, 1);
        },
        () => store.renew(tenant, runId, claim),
      ),
    release: (tenant, runId, epoch) =>
      pass(
        () => {
          checkRun(tenant, runId);
          checkInteger("an epoch", epoch, 1);
        },
        () => store.release(tenant, runId, epoch),
      ),
    list: (filter) =>
      pass(
        () => {
          checkKey("a tenant", filter.tenant);
          if (filter.session !== undefined) checkKey("a session", filter.session, bounds.keyBytes, true);
          if (filter.before !== undefined) {
            checkKey("the id of a run", filter.before.runId);
            checkInteger("the time of a run", filter.before.at);
          }
          checkInteger("limit", filter.limit, 1);
        },
        () => store.list({ ...filter, limit: Math.min(filter.limit, bounds.listed) }),
      ),
    reserve: (tenant, requestId, by) =>
      pass(
        () => {
          checkRun(tenant, by.runId);
          checkKey("the id of a request", requestId);
          checkInteger("the number of a call", by.call);
          checkInteger("the time of a request", by.at);
        },
        () => store.reserve(tenant, requestId, by),
      ),
    settleRequest: (tenant, requestId, outcome) =>
      pass(
        () => {
          checkKey("a tenant", tenant);
          checkKey("the id of a request", requestId);
        },
        () => store.settleRequest(tenant, requestId, outcome),
      ),
    get: (tenant, kind, id) =>
      pass(
        () => checkDocument(tenant, kind, id, undefined),
        () => store.get(tenant, kind, id),
      ),
    put: (tenant, kind, id, body, expected, note) =>
      pass(
        () => {
          checkDocument(tenant, kind, id, expected);
          checkInteger("the time of a document", note.at);
          if (note.session !== undefined) checkKey("a session", note.session, bounds.keyBytes, true);
        },
        () => store.put(tenant, kind, id, body, expected, note),
      ),
    remove: (tenant, kind, id, expected) =>
      pass(
        () => checkDocument(tenant, kind, id, expected),
        () => store.remove(tenant, kind, id, expected),
      ),
    listDocuments: (tenant, kind, prefix = "") =>
      pass(
        () => {
          checkKey("a tenant", tenant);
          checkKey("the kind of a document", kind);
          checkKey("a prefix", prefix, bounds.documentIdBytes, true);
        },
        () => store.listDocuments(tenant, kind, prefix),
      ),
    purge: (filter) =>
      pass(
        () => {
          checkKey("a tenant", filter.tenant);
          if (filter.session !== undefined) checkKey("a session", filter.session, bounds.keyBytes, true);
          checkInteger("now", filter.now);
          if (filter.before !== undefined) checkInteger("before", filter.before);
        },
        () => store.purge(filter),
      ),
    close: () => (closing ??= close()),
  };
}
