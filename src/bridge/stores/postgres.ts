// A store in a PostgreSQL database, in a schema of its own. Each write is one transaction on one connection of the pool.
import { Fault } from "../../errors.ts";
import { checkOptions, checkText, describe } from "../../options.ts";
import { isRetryable, postgresFault } from "./postgres-faults.ts";
import { lend, openPool, type OwnPool, type PostgresClient, type PostgresPool } from "./postgres-pool.ts";
import { begin, type OperationName, writes } from "./sql/operations.ts";
import { storeOver } from "./sql/over.ts";
import { migrate, readVersion, refuseNewer, schemaVersion } from "./sql/schema.ts";
import type { Operation, Row, Statement, Value } from "./sql/statement.ts";
import type { Store } from "./store.ts";

export type { PostgresClient, PostgresPool } from "./postgres-pool.ts";

/** Either an address, for a pool that the store makes and closes, or the host's own pool, which stays the host's. */
export interface PostgresOptions {
  readonly connectionString?: string;
  readonly pool?: PostgresPool;
  /** The schema that holds the tables, made where it is missing; `codecall` unless given. */
  readonly schema?: string;
}

const names = { connectionString: "text", pool: "object", schema: "text" } as const;
const attempts = 5;
/** Rows of one insert: PostgreSQL takes at most 65,535 values. */
const rowsAtOnce = 1_000;

/** Throws `invalid_options`; what is wrong with the database rejects `ready()` and every use. */
export function postgresStore(options: PostgresOptions): Store {
  const { connectionString, pool, schema } = readOptions(options);
  const where = `the PostgreSQL schema "${schema}"`;
  let own: Promise<OwnPool> | undefined;
  let opening: Promise<void> | undefined;

  const lender = async (): Promise<PostgresPool> => pool ?? (await (own ??= openPool(connectionString)));

  const use = async <T>(work: (client: PostgresClient) => Promise<T>): Promise<T> => lend(await lender(), work);

  const translate = translator(schema);

  async function drive<T>(client: PostgresClient, operation: Operation<T>): Promise<T> {
    let step = operation.next();
    while (step.done !== true) step = operation.next(await run(client, translate, step.value));
    return step.value;
  }

  async function inTransaction<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
    await client.query("begin");
    try {
      const result = await work();
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  }

  async function attempt<T>(work: () => Promise<T>, left = attempts): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (left > 1 && isRetryable(error)) return attempt(work, left - 1);
      throw postgresFault(error, where);
    }
  }

  const open = (): Promise<void> =>
    attempt(() =>
      use(async (client) => {
        const isThere = await client.query("select to_regclass($1) is not null as there", [
          `${quoted(schema)}.schema_version`,
        ]);
        const version = (isThere.rows[0] as Row).there === true ? await drive(client, readVersion()) : 0;
        refuseNewer(version, where);
        if (version < schemaVersion) await inTransaction(client, () => upgrade(client));
      }),
    );

  async function upgrade(client: PostgresClient): Promise<void> {
    // Several processes may start at once: one makes the tables, the others wait for it and find them.
    await client.query("select pg_advisory_xact_lock(hashtext($1))", [`codecall ${schema}`]);
    const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
    if (rows.length === 0) await client.query(`create schema ${quoted(schema)}`);
    const text = 'text collate "C"';
    const key = "bigint generated always as identity primary key";
    await drive(client, migrate({ key, text, integer: "bigint", ordered: "" }, where));
  }

  async function ready(): Promise<void> {
    opening ??= open();
    try {
      await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return storeOver({
    ready,
    async perform(name, ...given) {
      await ready();
      const work = (client: PostgresClient) => (): ReturnType<typeof drive<never>> =>
        drive(client, begin(name, given) as Operation<never>);
      return attempt(() => use((client) => (isAtomic(name) ? work(client)() : inTransaction(client, work(client)))));
    },
    async close() {
      const made = await own?.catch(() => undefined);
      await made?.end();
    },
  });
}

/** What reads sees only what is never changed, or is a single statement. */
const isAtomic = (name: OperationName): boolean => !writes(name);

function readOptions(options: PostgresOptions): {
  readonly connectionString: string;
  readonly pool: PostgresPool | undefined;
  readonly schema: string;
} {
  checkOptions("postgresStore", options, names);
  const { connectionString, pool, schema = "codecall" } = options;
  if ((connectionString === undefined) === (pool === undefined)) {
    throw new Fault("invalid_options", "postgresStore takes either connectionString or pool");
  }
  if (connectionString !== undefined) checkText("option connectionString of postgresStore", connectionString);
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    const message = `option schema of postgresStore must be a name of at most 63 lower-case letters, digits and _, got ${describe(schema)}`;
    throw new Fault("invalid_options", message);
  }
  return { connectionString: connectionString ?? "", pool, schema };
}

const quoted = (name: string): string => `"${name}"`;

/** `@run` as the table of the schema; each text once. */
function translator(schema: string): (sql: string) => string {
  const translated = new Map<string, string>();
  return (sql) => {
    const known = translated.get(sql);
    if (known !== undefined) return known;
    const made = sql.replaceAll(/@(\w+)/g, `${quoted(schema)}.$1`);
    if (translated.size >= 1_000) translated.clear();
    translated.set(sql, made);
    return made;
  };
}

async function run(
  client: PostgresClient,
  translate: (sql: string) => string,
  { sql, values, rows }: Statement,
): Promise<readonly Row[]> {
  if (rows === undefined) return (await client.query(translate(sql), [...values])).rows as readonly Row[];
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce);
    const flat: Value[] = [];
    const groups = some.map((row) => `(${row.map((value) => `$${flat.push(value)}`).join(", ")})`);
    await client.query(`${translate(sql)} values ${groups.join(", ")}`, flat);
  }
  return [];
}
