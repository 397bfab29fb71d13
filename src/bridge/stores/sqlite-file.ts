// One SQLite file, opened; used in a thread of its own, since each step may wait for the disk or for another process.
import { closeSync, openSync, statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Fault } from "../../errors.ts";
import { sqliteFault, wordsOf } from "./sqlite-faults.ts";
import type { SqliteSettings } from "./sqlite-messages.ts";
import { migrate, readVersion, refuseNewer, schemaVersion } from "./sql/schema.ts";
import type { Operation, Row, Statement } from "./sql/statement.ts";

/** Statements kept ready; one with many values in a list is another for each number of them. */
const keptStatements = 200;

export interface SqliteFile {
  /** Runs an operation to its end; throws what it throws. */
  drive<T>(operation: Operation<T>): T;
  /** Runs one statement that gives nothing back. */
  exec(sql: string): void;
  /** False once the database has given the transaction up by itself. */
  readonly isTransaction: boolean;
  /** Throws `store_unavailable` where the path leads to another file by now, or to none. */
  checkPlace(): void;
  close(): void;
}

const translate = (sql: string): string => sql.replaceAll(/@(\w+)/g, "codecall_$1").replaceAll(/\$(\d+)/g, "?$1");

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Opens the file, makes it where it is missing (readable by its owner alone), and brings the schema up to date. */
export function openFile(settings: SqliteSettings): SqliteFile {
  const { path } = settings;
  let database: DatabaseSync | undefined;
  try {
    createPrivate(path);
    database = new DatabaseSync(path, { timeout: settings.busyMs });
    prepare(database, settings);
    const file = fileOf(database, path);
    upgrade(file, path);
    return file;
  } catch (error) {
    database?.close();
    throw error instanceof Fault ? error : sqliteFault(error, settings);
  }
}

/** The file's rights go on to those that SQLite puts beside it. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function prepare(database: DatabaseSync, { synchronous, busyMs }: SqliteSettings): void {
  // Another process that opens the file for the first time makes this fail at once, without the wait that all else has.
  for (const until = performance.now() + busyMs; ; pause(5)) {
    try {
      database.exec("pragma journal_mode = wal");
      break;
    } catch (error) {
      if (wordsOf(error)?.code !== "store_locked" || performance.now() >= until) throw error;
    }
  }
  database.exec(
    `pragma synchronous = ${synchronous}; pragma foreign_keys = on; pragma secure_delete = on; pragma temp_store = memory`,
  );
}

function upgrade(file: SqliteFile, path: string): void {
  const where = `the file ${path}`;
  const tables = file.drive(
    (function* (): Operation<number> {
      const rows = yield { sql: "select 1 from sqlite_schema where name = 'codecall_schema_version'", values: [] };
      return rows.length;
    })(),
  );
  const version = tables === 0 ? 0 : file.drive(readVersion());
  refuseNewer(version, where);
  if (version === schemaVersion) return;
  file.exec("begin immediate");
  try {
    file.drive(
      migrate({ key: "integer primary key", text: "text", integer: "integer", ordered: " without rowid" }, where),
    );
    file.exec("commit");
  } catch (error) {
    if (file.isTransaction) file.exec("rollback");
    throw error;
  }
}

function fileOf(database: DatabaseSync, path: string): SqliteFile {
  const place = statSync(path);
  const statements = new Map<string, StatementSync>();

  function statementOf(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(translate(sql));
    if (statements.size >= keptStatements) statements.clear();
    statements.set(sql, made);
    return made;
  }

  function run({ sql, values, rows }: Statement): readonly Row[] {
    if (rows === undefined) return statementOf(sql).all(...values);
    const insert = statementOf(`${sql} values (${(rows[0] ?? []).map((_, index) => `$${index + 1}`).join(", ")})`);
    for (const row of rows) insert.run(...row);
    return [];
  }

  return {
    drive(operation) {
      let step = operation.next();
      while (step.done !== true) step = operation.next(run(step.value));
      return step.value;
    },
    exec: (sql) => void statementOf(sql).run(),
    get isTransaction() {
      return database.isTransaction;
    },
    checkPlace() {
      const now = statSync(path, { throwIfNoEntry: false });
      if (now?.ino === place.ino && now.dev === place.dev) return;
      throw new Fault(
        "store_unavailable",
        `the file ${path} was ${now === undefined ? "removed" : "replaced"} while it was open`,
        {
          hint: "nothing more is written; restart with the file that is meant",
          details: { path },
        },
      );
    },
    close: () => database.close(),
  };
}
