import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Where the host's `PATH` has an executable of this name. */
export function findExecutable(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** The same; throws where there is none. */
export function executable(name: string): string {
  const path = findExecutable(name);
  if (path === undefined) throw new Error(`${name} is not on the PATH`);
  return path;
}
