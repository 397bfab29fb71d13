import * as $ from "./primordials.ts";

/** A container being copied: the way back to the root, for paths and for cycles. */
export interface Frame {
  readonly parent: Frame | undefined;
  readonly value: object;
  readonly depth: number;
  key: string | number;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

function step(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return $.matches(identifier, key) === null ? `[${$.stringify($.slice(key, 0, 80))}]` : `.${$.slice(key, 0, 80)}`;
}

/** The path of the item that a container is at, e.g. `$.items[3].at`; a very long one loses its middle. */
export function pathOf(frame: Frame | undefined): string {
  let path = "";
  for (let at = frame; at !== undefined; at = at.parent) {
    path = step(at.key) + path;
    if (path.length > 400) path = `…${$.slice(path, -200)}`;
  }
  return `$${path}`;
}
