import type { Bound } from "../registry/bound.ts";

/** What a turn binds, for the log. */
export function bindingLine({ always, forced, found }: Bound, total: number): string {
  return `Lean tools active: bound ${always + forced + found} tools to model (${always} always-on, ${forced} forced, ${found} found by search; filtered from ${total}).`;
}
