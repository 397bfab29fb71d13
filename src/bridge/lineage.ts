import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<readonly string[]>();

/** The programs inside whose tools the current code runs, outermost first: each of them holds a sandbox process meanwhile. */
export const currentLineage = (): readonly string[] => storage.getStore() ?? [];

export const withLineage = <T>(lineage: readonly string[], run: () => T): T => storage.run(lineage, run);
