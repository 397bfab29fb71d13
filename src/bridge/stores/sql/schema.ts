// The tables, version by version. What is written here is never changed: a new version adds a step.
import { Fault } from "../../../errors.ts";
import { numberOf, type Operation, statement } from "./statement.ts";

/** Where the two databases need other words. */
export interface Words {
  readonly key: string;
  /** Compared byte by byte. */
  readonly text: string;
  readonly integer: string;
  /** After a table that is kept in the order of its primary key. */
  readonly ordered: string;
}

const steps: readonly ((words: Words) => readonly string[])[] = [
  ({ key, text, integer, ordered }) => [
    `create table @run (
       key ${key}, tenant ${text} not null, id ${text} not null, session ${text} not null, status ${text} not null,
       epoch ${integer} not null, owner ${text}, claimed_until ${integer}, next ${integer} not null,
       at ${integer} not null, updated_at ${integer} not null, expires_at ${integer}, unique (tenant, id))`,
    "create index codecall_run_by_time on @run (tenant, at, id)",
    "create index codecall_run_by_session on @run (tenant, session, at, id)",
    "create index codecall_run_by_status on @run (tenant, status, at, id)",
    `create table @header (run ${integer} primary key references @run (key) on delete cascade,
       sum ${text} not null, body ${text} not null)`,
    `create table @entry (
       run ${integer} not null references @run (key) on delete cascade, n ${integer} not null, size ${integer} not null,
       sum ${text} not null, body ${text} not null, primary key (run, n))${ordered}`,
    `create table @request (
       tenant ${text} not null, id ${text} not null, run_id ${text} not null, call ${integer} not null,
       at ${integer} not null, outcome ${text}, primary key (tenant, id))${ordered}`,
    "create index codecall_request_by_run on @request (tenant, run_id)",
    `create table @document (
       tenant ${text} not null, kind ${text} not null, id ${text} not null, version ${integer} not null,
       session ${text}, at ${integer} not null, body ${text}, primary key (tenant, kind, id))${ordered}`,
  ],
];

export const schemaVersion: number = steps.length;

/** The version of the tables that are there, 0 without any. */
export function* readVersion(): Operation<number> {
  const [row] = yield statement("select max(version) as version from @schema_version");
  return numberOf(row?.version ?? 0);
}

/** Brings the tables from the version they are at to the newest one; several may try at once, one after the other. */
export function* migrate(words: Words, where: string): Operation<void> {
  yield statement(`create table if not exists @schema_version (version ${words.integer} primary key)`);
  const version = yield* readVersion();
  refuseNewer(version, where);
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    for (const sql of step(words)) yield statement(sql);
    yield statement("insert into @schema_version (version) values ($1)", index + 1);
  }
}

export function refuseNewer(version: number, where: string): void {
  if (version <= schemaVersion) return;
  throw new Fault("store_newer", `${where} has schema version ${version}; this codecall knows up to ${schemaVersion}`, {
    hint: "update codecall, or use another store",
    details: { version, known: schemaVersion },
  });
}
