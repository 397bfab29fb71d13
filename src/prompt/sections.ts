import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { describe } from "../options.ts";
import type { Warning } from "../registry/warning.ts";

interface Placement {
  readonly name: string;
  readonly order: number;
}

/** In ascending order, equal ones by name in code units; throws `prompt_invalid` where an order is no finite number. */
export function inOrder<T extends Placement>(sections: readonly T[]): readonly T[] {
  for (const { name, order } of sections) {
    if (Number.isFinite(order)) continue;
    throw new Fault("prompt_invalid", `order must be a finite number: section "${name}" has ${describe(order)}`, {
      details: { section: name },
    });
  }
  return sections.toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}

/** A warning for each two neighbours between which a later section finds no room. */
export function crowded(ordered: readonly Placement[]): readonly Warning[] {
  return ordered.flatMap(({ name, order }, index) => {
    const before = ordered[index - 1];
    if (before === undefined || order - before.order >= bounds.sectionsApart) return [];
    const message = `the prompt sections "${before.name}" (order ${before.order}) and "${name}" (order ${order}) are nearer than ${bounds.sectionsApart}: leave room for a section between them`;
    return [{ kind: "prompt", message }];
  });
}
