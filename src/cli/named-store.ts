import { dirname } from "node:path";
import { Fault } from "../errors.ts";
import type { Store } from "../index.ts";
import { readConfig } from "./config.ts";
import { openStore, type StoreOptions } from "./store.ts";

/** The store that a command names by itself or by its configuration; it is closed with what is given. Throws `invalid_options`. */
export async function openNamedStore({
  config,
  store: address,
}: StoreOptions): Promise<AsyncDisposable & { readonly store: Store }> {
  const named = address ?? (config === undefined ? undefined : readConfig(config).store);
  if (named === undefined) {
    throw new Fault("invalid_options", config === undefined ? "no store is named" : `${config} names no store`, {
      hint: 'give --store sqlite:runs.db, or --config with "store"',
    });
  }
  // The configuration's own path is absolute already.
  const store = await openStore(named, config === undefined ? process.cwd() : dirname(config));
  return { store, [Symbol.asyncDispose]: () => store.close() };
}
