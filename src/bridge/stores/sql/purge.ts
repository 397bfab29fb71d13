import { bounds } from "../../../limits.ts";
import type { PurgeFilter } from "../store.ts";
import { numberOf, type Operation, type Row, statement, textOf, type Value } from "./statement.ts";

/** A `where` that grows; its values are numbered from 1. */
function conditions(tenant: string): { readonly values: Value[]; readonly bind: (value: Value) => string } {
  const values: Value[] = [tenant];
  return { values, bind: (value) => `$${values.push(value)}` };
}

export interface PurgedRuns {
  readonly runs: number;
  readonly expired: number;
  readonly requests: number;
  readonly isDone: boolean;
}

/** Some of the runs that are meant, with their entries and requests; `isDone` where there are no more. */
export function* purgeRuns({ tenant, session, before, now }: PurgeFilter): Operation<PurgedRuns> {
  const { values, bind } = conditions(tenant);
  const at = bind(now);
  const free = `(owner is null or claimed_until <= ${at})`;
  const expired = `(status = 'suspended' and expires_at is not null and expires_at <= ${at})`;
  const isMeant = [
    "tenant = $1",
    ...(session === undefined ? [] : [`session = ${bind(session)}`]),
    ...(before === undefined ? [] : [`(updated_at < ${bind(before)} or ${expired})`]),
    free,
  ].join(" and ");
  // The conditions once more, outside: a run that was claimed meanwhile stays.
  const gone = yield statement(
    `delete from @run where key in (select key from @run where ${isMeant} limit ${bounds.purgedAtOnce}) and ${isMeant}
     returning id, case when ${expired} then 1 else 0 end as expired`,
    ...values,
  );
  return {
    runs: gone.length,
    expired: gone.filter((row) => numberOf(row.expired) === 1).length,
    requests: yield* purgeRequestsOf(tenant, gone),
    isDone: gone.length < bounds.purgedAtOnce,
  };
}

function* purgeRequestsOf(tenant: string, runs: readonly Row[]): Operation<number> {
  if (runs.length === 0) return 0;
  const { values, bind } = conditions(tenant);
  const ids = runs.map(({ id }) => bind(textOf(id)));
  const sql = `delete from @request where tenant = $1 and run_id in (${ids.join(", ")}) returning call`;
  const gone = yield statement(sql, ...values);
  return gone.length;
}

/** Requests of runs that the store does not hold, or holds no more. */
export function* purgeRequests({ tenant, before }: PurgeFilter): Operation<number> {
  const { values, bind } = conditions(tenant);
  const isOld = before === undefined ? "" : ` and at < ${bind(before)}`;
  const gone = yield statement(
    `delete from @request where tenant = $1${isOld}
     and run_id not in (select id from @run where tenant = $1) returning call`,
    ...values,
  );
  return gone.length;
}

export function* purgeDocuments({ tenant, session, before }: PurgeFilter): Operation<number> {
  const { values, bind } = conditions(tenant);
  const isMeant = [
    "tenant = $1",
    ...(session === undefined ? [] : [`session = ${bind(session)}`]),
    ...(before === undefined ? [] : [`at < ${bind(before)}`]),
  ].join(" and ");
  const sql = `delete from @document where ${isMeant} returning case when body is null then 0 else 1 end as present`;
  const gone = yield statement(sql, ...values);
  return gone.filter((row) => numberOf(row.present) === 1).length;
}
