// Documents. One that was removed leaves its version behind: a version never comes again, so that nobody mistakes another for it.
import { conflict } from "../refusals.ts";
import type { Document, DocumentNote } from "../store.ts";
import { maybeNumber, maybeText, numberOf, type Operation, type Row, statement, textOf } from "./statement.ts";
import { fromStored, toStored } from "./text.ts";

function documentOf(row: Row): Document {
  const session = maybeText(row.session);
  return {
    id: textOf(row.id),
    body: fromStored(textOf(row.body)),
    version: numberOf(row.version),
    ...(session === undefined ? {} : { session }),
    at: numberOf(row.at),
  };
}

export function* get(tenant: string, kind: string, id: string): Operation<Document | undefined> {
  const [row] = yield statement(
    `select id, body, version, session, at from @document
     where tenant = $1 and kind = $2 and id = $3 and body is not null`,
    tenant,
    kind,
    id,
  );
  return row === undefined ? undefined : documentOf(row);
}

function* refuse(tenant: string, kind: string, id: string, expected: number | undefined): Operation<Error> {
  const [row] = yield statement(
    "select version from @document where tenant = $1 and kind = $2 and id = $3 and body is not null",
    tenant,
    kind,
    id,
  );
  return conflict(tenant, kind, id, expected, maybeNumber(row?.version));
}

export function* put(
  tenant: string,
  kind: string,
  id: string,
  body: string,
  expected: number | undefined,
  { session, at }: DocumentNote,
): Operation<number> {
  const values = [tenant, kind, id, toStored(body), session ?? null, at];
  const [row] = yield expected === undefined
    ? statement(
        `insert into @document as held (tenant, kind, id, body, session, at, version) values ($1, $2, $3, $4, $5, $6, 1)
         on conflict (tenant, kind, id) do update set body = excluded.body, session = excluded.session,
         at = excluded.at, version = held.version + 1 where held.body is null returning version`,
        ...values,
      )
    : statement(
        `update @document set body = $4, session = $5, at = $6, version = version + 1
         where tenant = $1 and kind = $2 and id = $3 and version = $7 and body is not null returning version`,
        ...values,
        expected,
      );
  if (row === undefined) throw yield* refuse(tenant, kind, id, expected);
  return numberOf(row.version);
}

export function* remove(tenant: string, kind: string, id: string, expected?: number): Operation<boolean> {
  const sql = `update @document set body = null, version = version + 1
               where tenant = $1 and kind = $2 and id = $3 and body is not null`;
  const [row] = yield expected === undefined
    ? statement(`${sql} returning version`, tenant, kind, id)
    : statement(`${sql} and version = $4 returning version`, tenant, kind, id, expected);
  if (row === undefined && expected !== undefined) throw yield* refuse(tenant, kind, id, expected);
  return row !== undefined;
}

export function* listDocuments(tenant: string, kind: string, prefix = ""): Operation<readonly Document[]> {
  const rows = yield statement(
    `select id, body, version, session, at from @document where tenant = $1 and kind = $2 and id >= $3
     and substr(id, 1, length(cast($3 as text))) = $3 and body is not null order by id`,
    tenant,
    kind,
    prefix,
  );
  return rows.map(documentOf);
}
