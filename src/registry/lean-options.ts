import { Fault } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { nearest } from "../nearest.ts";
import { checkOptions, describe } from "../options.ts";
import { activityNames } from "./policy.ts";
import { providedNames } from "./provided.ts";
import type { Surface } from "./surface.ts";

/** Names of tools, or globs. */
export interface ActivityTools {
  /** Bound in every turn of the activity. */
  readonly add?: readonly string[];
  /** Neither offered, bound nor found in it. */
  readonly withhold?: readonly string[];
}

export interface LeanOptions {
  /**
   * The tools that every request shows, in this order. `search_tools` and `read_file` are provided where they are listed and
   * no registered tool has the name.
   */
  readonly alwaysOn: readonly string[];
  /** Whether a surface also has the array for a provider that loads tools when a search refers to them; false unless given. */
  readonly deferLoading?: boolean;
  /** What an activity of a turn, by its name, changes. */
  readonly activities?: Readonly<Record<string, ActivityTools>>;
  /** What the index of names that programs are shown may take, four characters a token; 2,000 unless given. */
  readonly indexTokens?: number;
}

export type LeanSettings = Required<LeanOptions>;

const defaultIndexTokens = 2_000;

/** Throws `invalid_options` for what is no setting of a lean surface. */
export function readLeanOptions(given: LeanOptions | undefined): LeanSettings | undefined {
  if (given === undefined) return undefined;
  const what = "lean of createDeployment";
  checkOptions(what, given ?? null, {
    alwaysOn: "texts",
    deferLoading: "flag",
    activities: "object",
    indexTokens: "anything",
  });
  const { alwaysOn, deferLoading = false, activities = {}, indexTokens = defaultIndexTokens } = given;
  if (alwaysOn === undefined || alwaysOn.length === 0) {
    throw new Fault("invalid_options", `${what} needs alwaysOn, the names of the tools that every request shows`);
  }
  const twice = alwaysOn.find((name, index) => alwaysOn.indexOf(name) < index);
  if (twice !== undefined) throw new Fault("invalid_options", `alwaysOn of ${what} lists ${describe(twice)} twice`);
  if (!Number.isInteger(indexTokens) || indexTokens < 1) {
    throw new Fault(
      "invalid_options",
      `indexTokens of ${what} must be an integer from 1, got ${describe(indexTokens)}`,
    );
  }
  for (const [name, tools] of Object.entries(activities)) {
    if (!activityNames.some((known) => known === name)) {
      throw new Fault(
        "invalid_options",
        `${what}: no activity is called "${name}"; there are ${activityNames.join(", ")}`,
      );
    }
    if (!isObject(tools)) throw new Fault("invalid_options", `activity "${name}" of ${what} must be an object`);
    checkOptions(`activity "${name}" of ${what}`, tools, { add: "texts", withhold: "texts" });
  }
  return Object.freeze({
    alwaysOn: Object.freeze([...alwaysOn]),
    deferLoading,
    activities: Object.freeze({ ...activities }),
    indexTokens,
  });
}

const namedAtMost = 20;

/** Throws `cannot_start` where an always-on name has no tool that could always be shown. */
export function checkAlwaysOn(composition: string, lean: LeanSettings | undefined, surface: Surface): void {
  for (const name of lean?.alwaysOn ?? []) {
    if (surface.tools.some((tool) => tool.name === name)) continue;
    const isGated = surface.gated.some((tool) => tool.name === name);
    const why = isGated ? "which is gated, so only a command binds it" : "and no tool of that name is visible";
    const there = [...surface.tools.map((tool) => tool.name), ...providedNames];
    const near = nearest(name, there);
    const some = there.slice(0, namedAtMost).join(", ");
    throw new Fault("cannot_start", `composition "${composition}" cannot start: alwaysOn lists "${name}", ${why}`, {
      hint:
        near.length > 0
          ? `did you mean ${near.join(" or ")}?`
          : `the tools are ${some}${there.length > namedAtMost ? `, and ${there.length - namedAtMost} more` : ""}`,
      details: { composition, entry: "lean", name },
    });
  }
}
