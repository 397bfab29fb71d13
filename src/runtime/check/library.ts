import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Reads the files that declare the language, by their names alone: TypeScript looks for them beside the program that it
 * takes itself for, which in a root of its own is another. `null` for every other path. Throws where TypeScript is absent.
 */
export function libraryReader(): (path: string) => string | null {
  const typescript = createRequire(import.meta.url).resolve("typescript7/package.json");
  const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const folder = join(dirname(createRequire(typescript).resolve(platform)), "lib");
  const kept = new Map<string, string | null>();

  function read(name: string): string | null {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      return null;
    }
  }

  return (path) => {
    const name = /(?:^|[/\\])(lib(?:\.\w+)*\.d\.ts)$/.exec(path)?.[1];
    if (name === undefined) return null;
    let text = kept.get(name);
    if (text === undefined) {
      text = read(name);
      kept.set(name, text);
    }
    return text;
  };
}
