import { bounds } from "./limits.ts";
import * as $ from "./primordials.ts";

/** A container being copied: the way back to the root, for paths and for cycles. */
export interface Frame {
  readonly parent: Frame | undefined;
  readonly value: object;
  readonly depth: number;
  key: string | number;
}

const identifier = /^[A-Za-z_$][\w$]*$/;
const keyChars = 80;
/** What stays of a path that is too long. */
const keptChars = 200;

/** Whether a name is written after a dot as it is; reserved words are. */
export function isIdentifier(name: string): boolean {
  return $.matches(identifier, name) !== null;
}

/** One key of a path: `.name`, `["a name"]` or `[3]`; of a very long one only its start. */
export function pathStep(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  const shown = $.slice(key, 0, keyChars);
  return isIdentifier(key) ? `.${shown}` : `[${$.stringify(shown)}]`;
}

/** The path of the item that a container is at, e.g. `$.items[3].at`; a very long one loses its middle. */
export function pathOf(frame: Frame | undefined): string {
  let path = "";
  for (let at = frame; at !== undefined; at = at.parent) {
    path = pathStep(at.key) + path;
    if (path.length > bounds.pathChars) path = `…${$.slice(path, -keptChars)}`;
  }
  return `$${path}`;
}

/** A path that is told of: a very long one loses its middle. */
export function shortPath(path: string): string {
  return path.length > bounds.pathChars ? `$…${$.slice(path, -keptChars)}` : path;
}
