// Connections to PostgreSQL, as `pg` lends them.
import type { Pool } from "pg";
import { Fault } from "../../errors.ts";
import { bounds } from "../../limits.ts";
import { isRetryable } from "./postgres-faults.ts";

/** A connection as `pg` has them. */
export interface PostgresClient {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  /** `true` ends the connection instead of giving it back. */
  release(destroy?: boolean): void;
  on?(event: "error", listener: (error: Error) => void): unknown;
  off?(event: "error", listener: (error: Error) => void): unknown;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/** Lends a connection; one that failed in any other way than by a refusal is not used again. */
export async function lend<T>(pool: PostgresPool, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks says so here as well as in the query; unheard, it would end the process.
  const ignore = (): void => undefined;
  client.on?.("error", ignore);
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } catch (error) {
    isBroken = !(error instanceof Fault) && !isRetryable(error);
    throw error;
  } finally {
    client.off?.("error", ignore);
    client.release(isBroken);
  }
}

/** A pool of the store's own; rejects where `pg` is not installed. */
export async function openPool(connectionString: string): Promise<OwnPool> {
  let made: typeof Pool;
  try {
    made = (await import("pg")).default.Pool;
  } catch (cause) {
    const hint = "npm install pg";
    throw new Fault("store_unavailable", "postgresStore needs the package pg, which is not installed", { hint, cause });
  }
  const pool = new made({
    connectionString,
    connectionTimeoutMillis: bounds.storeConnectMs,
    lock_timeout: bounds.storeBusyMs,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next use; unheard, it would end the process.
  pool.on("error", () => undefined);
  return pool;
}
