import { resolve } from "node:path";
import { Fault } from "../errors.ts";
import { sqliteStore, type Store } from "../index.ts";

/** Where runs are kept: `sqlite:` and the path of a file, from that folder, or the address of a PostgreSQL database. */
export async function openStore(address: string, folder: string): Promise<Store> {
  const fault = storeFault(address);
  if (fault !== undefined) throw new Fault("invalid_options", `the store ${fault}`);
  if (address.startsWith(sqlite)) return sqliteStore({ path: resolve(folder, address.slice(sqlite.length)) });
  const { postgresStore } = await import("../bridge/stores/postgres.ts");
  return postgresStore({ connectionString: address });
}

const sqlite = "sqlite:";

/** What keeps a text from being the address of a store. It may hold a password, so it is not shown. */
export function storeFault(address: string): string | undefined {
  if (address.startsWith(sqlite)) return address.length > sqlite.length ? undefined : "names no file after sqlite:";
  if (/^postgres(?:ql)?:\/\/./.test(address)) return undefined;
  return 'is neither "sqlite:" and a path nor "postgres://" and an address';
}

export interface StoreOptions {
  readonly config?: string;
  readonly store?: string;
}

/** Who owns what the command line runs. */
export const localTenant = "local";
