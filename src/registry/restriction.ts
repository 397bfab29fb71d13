import { Fault } from "../errors.ts";
import { checkGiven, describe } from "../options.ts";
import { isGlob, matchesGlob } from "./glob.ts";

export interface Restriction {
  /** Names and globs (`*` any run, `?` one character) of the tools that pass; all pass where it is absent, none where it is empty. */
  readonly allow?: readonly string[];
  /** Of the tools that do not pass, whatever `allow` says. */
  readonly deny?: readonly string[];
}

type Side = keyof Restriction;

/** A restriction in force: what it lets pass of the tools registered above its scope. */
export interface Mask {
  readonly admits: (name: string) => boolean;
  /** The entries that match none of the names. */
  readonly idle: (names: ReadonlySet<string>) => readonly { readonly side: Side; readonly entry: string }[];
}

/** Throws `invalid_options` for what is no restriction, and `reserved_name` for one that names the code tool. */
export function readRestriction(scope: string, given: Restriction, codeTool: string): Mask {
  checkGiven("scope.restrict", given, { allow: "texts", deny: "texts" });
  const sides = { allow: given.allow && [...given.allow], deny: given.deny && [...given.deny] };
  const entries = (["allow", "deny"] as const).flatMap((side) => (sides[side] ?? []).map((entry) => ({ side, entry })));
  for (const { side, entry } of entries) {
    if (entry === "")
      throw new Fault("invalid_options", `${side} of scope.restrict must hold names, got ${describe(entry)}`);
    if (entry === codeTool) {
      throw new Fault(
        "reserved_name",
        `${side} of scope.restrict names the code tool "${codeTool}", which no restriction reaches`,
        {
          hint: "leave it out; the form of the composition says whether it is offered",
          details: { name: codeTool, scope },
        },
      );
    }
  }
  const allows = sides.allow === undefined ? () => true : matcher(sides.allow);
  const denies = matcher(sides.deny ?? []);
  return Object.freeze<Mask>({
    admits: (name) => allows(name) && !denies(name),
    idle: (names) => entries.filter(({ entry }) => !matchesAny(entry, names)),
  });
}

function matcher(entries: readonly string[]): (name: string) => boolean {
  const globs = entries.filter(isGlob);
  const names = new Set(entries.filter((entry) => !isGlob(entry)));
  return (name) => names.has(name) || globs.some((glob) => matchesGlob(glob, name));
}

const matchesAny = (entry: string, names: ReadonlySet<string>): boolean =>
  isGlob(entry) ? names.values().some((name) => matchesGlob(entry, name)) : names.has(entry);
