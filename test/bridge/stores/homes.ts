import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encrypted } from "../../../src/bridge/stores/encrypted.ts";
import { memoryStore } from "../../../src/bridge/stores/memory.ts";
import { sqliteStore } from "../../../src/bridge/stores/sqlite.ts";
import type { StoreHome } from "../../contract/store-suite.ts";

export const key: Uint8Array = Buffer.alloc(32, 7);

export async function memoryHome(): Promise<StoreHome> {
  const store = memoryStore();
  return { open: () => store, drop: async () => undefined };
}

export interface FileHome extends StoreHome {
  readonly path: string;
}

export async function sqliteHome(): Promise<FileHome> {
  const folder = mkdtempSync(join(tmpdir(), "codecall-store-"));
  const path = join(folder, "runs.db");
  return {
    path,
    open: () => sqliteStore({ path }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function encryptedHome(): Promise<FileHome> {
  const home = await sqliteHome();
  return { ...home, open: () => encrypted(home.open(), key) };
}
