import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../shared/", import.meta.url));

/** A file or folder of the reference data that lies beside the repository. */
export const sharedPath = (...parts: readonly string[]): string => root + parts.join("/");

export const hasShared: boolean = existsSync(root);

export interface CatalogTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly server?: string;
}

/** Every tool list of the reference data, by file name without its ending. */
export function readCatalogs(): ReadonlyMap<string, readonly CatalogTool[]> {
  const files = readdirSync(sharedPath("catalogs")).sort();
  return new Map(
    files.map((file) => {
      const catalog: { readonly tools: readonly CatalogTool[] } = JSON.parse(
        readFileSync(sharedPath("catalogs", file), "utf8"),
      );
      return [file.replace(/\.json$/, ""), catalog.tools];
    }),
  );
}
