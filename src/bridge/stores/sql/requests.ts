import { notReserved } from "../refusals.ts";
import type { Content, Reservation } from "../store.ts";
import { maybeText, numberOf, type Operation, statement, textOf } from "./statement.ts";
import { fromStored, toStored } from "./text.ts";

interface By {
  readonly runId: string;
  readonly call: number;
  readonly at: number;
}

export function* reserve(tenant: string, requestId: string, { runId, call, at }: By): Operation<Reservation> {
  const [made] = yield statement(
    `insert into @request (tenant, id, run_id, call, at) values ($1, $2, $3, $4, $5)
     on conflict (tenant, id) do nothing returning id`,
    tenant,
    requestId,
    runId,
    call,
    at,
  );
  if (made !== undefined) return { first: true };
  const [row] = yield statement(
    "select run_id, call, at, outcome from @request where tenant = $1 and id = $2",
    tenant,
    requestId,
  );
  // Purged between the two statements: whoever had it is done with it, and it may be had again.
  if (row === undefined) return yield* reserve(tenant, requestId, { runId, call, at });
  const outcome = maybeText(row.outcome);
  return {
    first: false,
    runId: textOf(row.run_id),
    call: numberOf(row.call),
    at: numberOf(row.at),
    ...(outcome === undefined ? {} : { outcome: fromStored(outcome) }),
  };
}

export function* settleRequest(tenant: string, requestId: string, outcome: string): Operation<string> {
  const [row] = yield statement(
    "update @request set outcome = coalesce(outcome, $3) where tenant = $1 and id = $2 returning outcome",
    tenant,
    requestId,
    toStored(outcome),
  );
  if (row === undefined) throw notReserved(tenant, requestId);
  return fromStored(textOf(row.outcome));
}

export function* writeRequests(
  tenant: string,
  runId: string,
  { requests = [], at }: Content,
): Operation<Reservation[]> {
  const reservations: Reservation[] = [];
  for (const request of requests) {
    if (request.kind === "settle") yield* settleRequest(tenant, request.requestId, request.outcome);
    else reservations.push(yield* reserve(tenant, request.requestId, { runId, call: request.call, at }));
  }
  return reservations;
}
