// What SQLite and the file system say, as faults that name the file and what to do.
import { type Code, Fault, messageOf } from "../../errors.ts";

interface Words {
  readonly code: Code;
  readonly what: string;
  readonly hint: string;
}

const locked: Words = {
  code: "store_locked",
  what: "is locked by another process",
  hint: "find the process that holds a write transaction on it, or raise busyMs",
};
const readOnly: Words = {
  code: "store_read_only",
  what: "cannot be written",
  hint: "give this process the right to write the file and its folder",
};
const notFound: Words = {
  code: "store_unavailable",
  what: "cannot be opened",
  hint: "check that its folder is there and that this process may use it",
};
const full: Words = {
  code: "store_full",
  what: "cannot grow, as its disk is full",
  hint: "make room on the disk, or purge old runs, then go on; what was acknowledged is kept",
};

/** The key of entries: two wrote in one place. The conditions of an append stop all but what was written by hand. */
const taken: Words = {
  code: "store_fenced",
  what: "holds something already where this would go",
  hint: "stop working on this run; to go on with it, claim and load it again",
};

/** By SQLite's primary result codes. */
const byResult: Readonly<Record<number, Words>> = {
  3: readOnly,
  5: locked,
  6: locked,
  8: readOnly,
  11: {
    code: "store_corrupt",
    what: "is damaged",
    hint: "stop all that use it and restore it from a backup",
  },
  13: full,
  14: notFound,
  19: taken,
  26: {
    code: "store_corrupt",
    what: "is no SQLite database",
    hint: "give the path of a store, or of a file that does not exist yet",
  },
};

const bySystem: Readonly<Record<string, Words>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
};

const failed: Words = {
  code: "store_unavailable",
  what: "failed",
  hint: "check the disk that it is on; what was acknowledged is kept",
};

/** Of an error of SQLite or of the file system; `undefined` of any other. */
export function wordsOf(error: unknown): Words | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return byResult[error.errcode & 0xff] ?? failed;
  if ("syscall" in error && "code" in error) return bySystem[String(error.code)] ?? notFound;
  return undefined;
}

/** Whatever was thrown while the file was used, as a `Fault`. */
export function sqliteFault(
  error: unknown,
  { path, busyMs }: { readonly path: string; readonly busyMs: number },
): Fault {
  if (error instanceof Fault) return error;
  const { code, what, hint } = wordsOf(error) ?? failed;
  const waited = code === "store_locked" ? ` for more than ${busyMs} ms` : "";
  return new Fault(code, `the file ${path} ${what}${waited}: ${messageOf(error)}`, {
    hint,
    details: { path },
    cause: error,
  });
}
