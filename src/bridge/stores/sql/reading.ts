// Reading runs back. A long run comes in pages, so that no single step of the host has to take all of it.
import { bounds } from "../../../limits.ts";
import { runNotFound, tampered } from "../refusals.ts";
import type { RunFilter, RunStatus, RunSummary } from "../store.ts";
import {
  maybeNumber,
  maybeText,
  numberOf,
  type Operation,
  type Row,
  statement,
  textOf,
  type Value,
} from "./statement.ts";
import { fromStored, sumOf } from "./text.ts";

const columns = "tenant, id, session, status, at, updated_at, next, expires_at, owner, claimed_until";

function summaryOf(row: Row): RunSummary {
  const expiresAt = maybeNumber(row.expires_at);
  const owner = maybeText(row.owner);
  return {
    tenant: textOf(row.tenant),
    runId: textOf(row.id),
    session: textOf(row.session),
    status: textOf(row.status) as RunStatus,
    at: numberOf(row.at),
    updatedAt: numberOf(row.updated_at),
    entries: numberOf(row.next) - 1,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(owner === undefined ? {} : { claim: { owner, until: numberOf(row.claimed_until) } }),
  };
}

export interface Found {
  readonly key: number;
  readonly epoch: number;
  readonly header: string;
  readonly summary: RunSummary;
}

export function* find(tenant: string, runId: string): Operation<Found> {
  const [row] = yield statement(
    `select key, epoch, ${columns}, sum, body from @run left join @header on run = key where tenant = $1 and id = $2`,
    tenant,
    runId,
  );
  if (row === undefined) throw runNotFound(tenant, runId);
  const stored = maybeText(row.body);
  if (stored === undefined) throw tampered(tenant, runId, "header", "is missing");
  if (sumOf([tenant, runId, "header"], stored) !== row.sum) throw tampered(tenant, runId, "header", "was changed");
  return {
    key: numberOf(row.key),
    epoch: numberOf(row.epoch),
    header: fromStored(stored),
    summary: summaryOf(row),
  };
}

/** Some of the entries from `from` up to, not including, `until`: at least one, rejecting where it is missing or was changed. */
export function* page(
  tenant: string,
  runId: string,
  key: number,
  from: number,
  until: number,
): Operation<readonly string[]> {
  const sizes = yield statement(
    `select n, size from @entry where run = $1 and n >= $2 and n < $3 order by n limit ${bounds.pageEntries}`,
    key,
    from,
    until,
  );
  let end = from;
  let chars = 0;
  for (const { size } of sizes) {
    chars += numberOf(size);
    if (end > from && chars > bounds.pageChars) break;
    end += 1;
  }
  const rows = yield statement(
    "select n, sum, body from @entry where run = $1 and n >= $2 and n < $3 order by n",
    key,
    from,
    Math.max(end, from + 1),
  );
  if (rows.length === 0) throw tampered(tenant, runId, from, "is missing");
  return rows.map((row, index) => {
    const n = from + index;
    if (numberOf(row.n) !== n) throw tampered(tenant, runId, n, "is missing");
    const stored = textOf(row.body);
    if (sumOf([tenant, runId, n], stored) !== row.sum) throw tampered(tenant, runId, n, "was changed");
    return fromStored(stored);
  });
}

export function* list({ tenant, session, status, before, limit }: RunFilter): Operation<readonly RunSummary[]> {
  const values: Value[] = [tenant];
  const bind = (value: Value): string => `$${values.push(value)}`;
  const conditions = ["tenant = $1"];
  if (session !== undefined) conditions.push(`session = ${bind(session)}`);
  if (status !== undefined) conditions.push(`status = ${bind(status)}`);
  if (before !== undefined) conditions.push(`(at, id) < (${bind(before.at)}, ${bind(before.runId)})`);
  const rows = yield statement(
    `select ${columns} from @run where ${conditions.join(" and ")} order by at desc, id desc limit ${bind(limit)}`,
    ...values,
  );
  return rows.map(summaryOf);
}
