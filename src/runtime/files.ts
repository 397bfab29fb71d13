// The files of this package that run in processes of their own, and the Node that runs them.
import { createRequire } from "node:module";
import { Fault } from "../errors.ts";

/** Where such a file is; throws `invalid_options`, which names the option that gives its path. */
export function processFile(entry: string, option: string): string {
  try {
    return createRequire(import.meta.url).resolve(`codecall/${entry}`);
  } catch (cause) {
    throw new Fault(
      "invalid_options",
      `the file codecall/${entry} was not found from here; give its path as the option ${option}`,
      { cause },
    );
  }
}

/** Where the type checker is; without it programs run unchecked. */
export function typecheckFile(): string | undefined {
  try {
    return processFile("typecheck-process", "typecheckPath");
  } catch {
    return undefined;
  }
}

/** The Node that runs them, where the host itself may be none. */
export function defaultNode(): string {
  const { bun, electron } = process.versions as { readonly bun?: string; readonly electron?: string };
  return bun === undefined && electron === undefined ? process.execPath : "node";
}
