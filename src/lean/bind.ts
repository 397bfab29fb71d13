// Which tools a turn binds: those always on, those that the message and the activity force, and those that searches found.
// It depends on the task alone; how else a message is worded changes nothing.
import type { Form } from "../registry/composition.ts";
import type { LeanSettings } from "../registry/lean-options.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import { type Pin, readCommands } from "./commands.ts";
import { fetchersFor } from "./links.ts";
import { matches, named, type Pool } from "./pool.ts";

/** What of a turn decides. */
export interface Task {
  readonly text: string;
  readonly activity: string | undefined;
  readonly form: Form;
}

/** What a turn forces and forbids, whatever is found in it. */
export interface Forced {
  readonly always: readonly OfferedTool[];
  readonly forced: readonly OfferedTool[];
  /** What a search may bind. */
  readonly bindable: readonly OfferedTool[];
  readonly pins: readonly Pin[];
  /** Neither offered nor found. */
  readonly withholds: (name: string) => boolean;
  /** Whether the model can call it at all, by itself or from a program. */
  readonly reaches: (tool: OfferedTool) => boolean;
}

export function force(
  pool: Pool,
  { finding }: Surface,
  { text, activity = "act", form }: Task,
  { activities }: LeanSettings,
): Forced {
  const typed = readCommands(text, finding.commands);
  const mode = Object.hasOwn(activities, activity) ? activities[activity] : undefined;
  const forbidden = (name: string): boolean => mode?.withhold?.some((entry) => matches(entry, name)) === true;
  const allowed = pool.others.filter(({ name }) => !forbidden(name));
  const always = pool.always.filter(({ name }) => !forbidden(name));
  const gated = pool.gated.filter(({ name }) => !forbidden(name));
  const forced = new Set([
    ...named(typed.tools, [...allowed, ...gated]),
    ...fetchersFor(text, allowed),
    ...named(mode?.add ?? [], allowed),
  ]);
  const isForced = new Set([...forced].map(({ name }) => name));
  const withholds = (name: string): boolean =>
    forbidden(name) || (!isForced.has(name) && typed.withheld.some((entry) => matches(entry, name)));
  const reaches = ({ tool }: OfferedTool): boolean => form === "both" || tool.callers.includes(form);
  return {
    always,
    forced: [...forced],
    bindable: allowed.filter((tool) => reaches(tool) && !withholds(tool.name)),
    pins: typed.pins,
    withholds,
    reaches,
  };
}

/** Those of the names that may be bound and are not forced, in their order. */
export function foundAmong(names: readonly string[], { bindable, forced }: Forced): readonly OfferedTool[] {
  const byName = new Map(bindable.map((tool) => [tool.name, tool]));
  const isForced = new Set(forced);
  return names.flatMap((name) => {
    const tool = byName.get(name);
    return tool === undefined || isForced.has(tool) ? [] : [tool];
  });
}
