import { fenced, runClaimed, runExists, runNotFound } from "../refusals.ts";
import type { Claimant, Content, NewRun, Write, Written } from "../store.ts";
import { writeRequests } from "./requests.ts";
import { insertAll, numberOf, type Operation, statement, textOf } from "./statement.ts";
import { sumOf, toStored } from "./text.ts";

/** The entries of a write, numbered from `from`. */
function* writeEntries(
  tenant: string,
  runId: string,
  key: number,
  from: number,
  entries: readonly string[],
): Operation<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, index) => {
    const n = from + index;
    const body = toStored(entry);
    return [key, n, body.length, sumOf([tenant, runId, n], body), body];
  });
  yield insertAll("insert into @entry (run, n, size, sum, body)", rows);
}

export function* create(run: NewRun, holder: Claimant, given?: Content): Operation<Written> {
  const { tenant, runId, session, at } = run;
  const content: Content = given ?? { entries: [], at };
  const [made] = yield statement(
    `insert into @run (tenant, id, session, status, epoch, owner, claimed_until, next, at, updated_at, expires_at)
     values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10) on conflict (tenant, id) do nothing returning key`,
    tenant,
    runId,
    session,
    content.status ?? "running",
    holder.owner,
    holder.now + holder.ttlMs,
    content.entries.length + 1,
    at,
    content.at,
    content.expiresAt ?? null,
  );
  if (made === undefined) throw runExists(tenant, runId);
  const key = numberOf(made.key);
  const header = toStored(run.header);
  const sum = sumOf([tenant, runId, "header"], header);
  yield statement("insert into @header (run, sum, body) values ($1, $2, $3)", key, sum, header);
  yield* writeEntries(tenant, runId, key, 1, content.entries);
  return { epoch: 1, reservations: yield* writeRequests(tenant, runId, content) };
}

/** The row of the run moves first, under its conditions: who comes second finds them broken and writes nothing. */
export function* append(tenant: string, runId: string, write: Write): Operation<Written> {
  const { epoch, from, entries, at, status, expiresAt } = write;
  const values = [tenant, runId, epoch, from, from + entries.length, at];
  const where = "where tenant = $1 and id = $2 and epoch = $3 and next = $4 and owner is not null returning key";
  const [moved] = yield status === undefined
    ? statement(`update @run set next = $5, updated_at = $6 ${where}`, ...values)
    : statement(
        `update @run set next = $5, updated_at = $6, status = $7, expires_at = $8 ${where}`,
        ...values,
        status,
        expiresAt ?? null,
      );
  if (moved === undefined) throw yield* whyNot(tenant, runId, epoch, from);
  yield* writeEntries(tenant, runId, numberOf(moved.key), from, entries);
  return { epoch, reservations: yield* writeRequests(tenant, runId, write) };
}

function* whyNot(tenant: string, runId: string, epoch: number, from?: number): Operation<Error> {
  const [found] = yield statement("select epoch, next, owner from @run where tenant = $1 and id = $2", tenant, runId);
  if (found === undefined) return runNotFound(tenant, runId);
  const [next, held] = [numberOf(found.next), found.owner !== null];
  return fenced(tenant, runId, { epoch, next: from ?? next }, { epoch: numberOf(found.epoch), next, held });
}

export function* claim(tenant: string, runId: string, { owner, ttlMs, now }: Claimant): Operation<number> {
  const [taken] = yield statement(
    `update @run set epoch = epoch + 1, owner = $3, claimed_until = $4
     where tenant = $1 and id = $2 and (owner is null or owner = $3 or claimed_until <= $5) returning epoch`,
    tenant,
    runId,
    owner,
    now + ttlMs,
    now,
  );
  if (taken !== undefined) return numberOf(taken.epoch);
  const [found] = yield statement("select owner, claimed_until from @run where tenant = $1 and id = $2", tenant, runId);
  if (found === undefined) throw runNotFound(tenant, runId);
  // Given up between the two statements: it was held when it was asked for.
  if (found.owner === null) throw runClaimed(tenant, runId, "another", now);
  throw runClaimed(tenant, runId, textOf(found.owner), numberOf(found.claimed_until));
}

export function* renew(
  tenant: string,
  runId: string,
  { epoch, ttlMs, now }: Claimant & { readonly epoch: number },
): Operation<void> {
  const [held] = yield statement(
    `update @run set claimed_until = $4 where tenant = $1 and id = $2 and epoch = $3 and owner is not null returning key`,
    tenant,
    runId,
    epoch,
    now + ttlMs,
  );
  if (held === undefined) throw yield* whyNot(tenant, runId, epoch);
}

export function* release(tenant: string, runId: string, epoch: number): Operation<void> {
  yield statement(
    "update @run set owner = null, claimed_until = null where tenant = $1 and id = $2 and epoch = $3",
    tenant,
    runId,
    epoch,
  );
}
