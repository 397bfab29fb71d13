// Where the runs are kept: a file, or a schema of a PostgreSQL server.
import { type Store, sqliteStore } from "codecall";
import { postgresStore } from "codecall/postgres";

const connectionString = process.env.CODECALL_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/postgres";

/** `sqlite:FILE` or `postgres:SCHEMA`. */
export function openStore(where: string): Store {
  const [kind, ...rest] = where.split(":");
  const place = rest.join(":");
  if (kind === "sqlite") return sqliteStore({ path: place });
  if (kind === "postgres") return postgresStore({ connectionString, schema: place });
  throw new Error(`a store is sqlite:FILE or postgres:SCHEMA, not ${where}`);
}

/** Removes the schema; a file goes with its folder. */
export async function dropStore(where: string): Promise<void> {
  const [kind, schema = ""] = where.split(":");
  if (kind !== "postgres") return;
  const { Client } = await import("pg").then(({ default: pg }) => pg);
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`drop schema if exists "${schema}" cascade`);
  await client.end();
}
