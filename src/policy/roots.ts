import { isWithin, realPath, UnusablePath } from "./real-path.ts";

/** The folders in which tools may act. */
export interface Roots {
  /** Whether a real path is in one of them. */
  holds(path: string): boolean;
}

/** Looks the folders up as they are now; one that cannot be looked up holds nothing. */
export async function readRoots(folders: readonly string[]): Promise<Roots> {
  const looked = await Promise.all(folders.map((folder) => realFolder(folder)));
  const real = looked.filter((folder) => folder !== undefined);
  return { holds: (path) => real.some((folder) => isWithin(folder, path)) };
}

async function realFolder(folder: string): Promise<string | undefined> {
  try {
    return await realPath(folder, process.cwd());
  } catch (error) {
    if (error instanceof UnusablePath) return undefined;
    throw error;
  }
}
