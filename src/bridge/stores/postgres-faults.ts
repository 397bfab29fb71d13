// What PostgreSQL and the connection to it say, as faults.
import { type Code, Fault, messageOf } from "../../errors.ts";

interface Words {
  readonly code: Code;
  readonly what: string;
  readonly hint: string;
}

const full: Words = {
  code: "store_full",
  what: "has no room left",
  hint: "make room for the database, or purge old runs, then go on; what was acknowledged is kept",
};
const readOnly: Words = {
  code: "store_read_only",
  what: "cannot be written",
  hint: "connect to the primary, as a role that may create and write the tables of the schema",
};
const locked: Words = {
  code: "store_locked",
  what: "is locked by another session for too long",
  hint: "find the session that holds the lock (pg_stat_activity), and end it",
};
const corrupt: Words = {
  code: "store_corrupt",
  what: "is damaged",
  hint: "stop all that use it and restore it from a backup",
};
const gone: Words = {
  code: "store_unavailable",
  what: "cannot be reached",
  hint: "check the connection; after a loss in the middle, load a run again before going on with it",
};
/** The key of entries: two wrote in one place. The conditions of an append stop all but what was written by hand. */
const taken: Words = {
  code: "store_fenced",
  what: "holds something already where this would go",
  hint: "stop working on this run; to go on with it, claim and load it again",
};

const byState: Readonly<Record<string, Words>> = {
  "53100": full,
  "53400": full,
  "54000": full,
  "25006": readOnly,
  "42501": readOnly,
  "23505": taken,
  "55P03": locked,
  "57014": locked,
  XX001: corrupt,
  XX002: corrupt,
};

const stateOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Whether two writes stood in each other's way and one was given up whole: it may be tried again. */
export const isRetryable = (error: unknown): boolean => ["40001", "40P01"].includes(stateOf(error));

/** Whatever was thrown while the database was used, as a `Fault`; no part of the connection's address is told. */
export function postgresFault(error: unknown, where: string): Fault {
  if (error instanceof Fault) return error;
  const { code, what, hint } = byState[stateOf(error)] ?? gone;
  const said = messageOf(error) || stateOf(error);
  return new Fault(code, `${where} ${what}: ${said}`, { hint, cause: error });
}
