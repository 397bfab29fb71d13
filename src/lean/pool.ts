import { isGlob, matchesGlob } from "../registry/glob.ts";
import type { LeanSettings } from "../registry/lean-options.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";

/** What the lean surfaces of a scope choose from, made once per set of tools. */
export interface Pool {
  /** In their fixed order. */
  readonly always: readonly OfferedTool[];
  /** All others but the gated ones, by name. */
  readonly others: readonly OfferedTool[];
  readonly gated: readonly OfferedTool[];
  readonly byName: ReadonlyMap<string, OfferedTool>;
}

export function makePool({ tools, gated }: Surface, { alwaysOn }: LeanSettings): Pool {
  const byName = new Map([...tools, ...gated].map((tool) => [tool.name, tool]));
  const listed = new Set(alwaysOn);
  const isGated = new Set(gated);
  return {
    always: alwaysOn.flatMap((name) => {
      const tool = byName.get(name);
      return tool === undefined || isGated.has(tool) ? [] : [tool];
    }),
    others: tools.filter(({ name }) => !listed.has(name)),
    gated,
    byName,
  };
}

/** The tools that names and globs stand for, in the order of the entries; a glob's by name. */
export function named(entries: readonly string[], tools: readonly OfferedTool[]): readonly OfferedTool[] {
  const found = entries.flatMap((entry) => tools.filter(({ name }) => matches(entry, name)));
  return [...new Set(found)];
}

export const matches = (entry: string, name: string): boolean =>
  isGlob(entry) ? matchesGlob(entry, name) : entry === name;
