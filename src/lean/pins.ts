import { isObject } from "../is-object.ts";
import { canonicalJson, type JsonValue } from "../json.ts";
import type { CallView, Verdict } from "../registry/policy.ts";
import type { Pin } from "./commands.ts";

const shownChars = 60;

/** Refuses a call whose arguments are not those that a typed command pins. */
export function judgePins(pins: readonly Pin[], { name, args }: CallView): Verdict | "allow" {
  for (const { tool, argument, value, by, liftedBy } of pins) {
    if (tool !== name) continue;
    const came = isObject(args) && Object.hasOwn(args, argument) ? (args[argument] as JsonValue) : undefined;
    if (came !== undefined && canonicalJson(came) === canonicalJson(value)) continue;
    const what = came === undefined ? "it was not given" : `${shown(came)} came`;
    const way = liftedBy.length === 0 ? "" : `; ${liftedBy.join(" or ")}, typed by the user, lifts that`;
    return {
      verdict: "refuse",
      code: "argument_pinned",
      message: `${by} pins ${argument} of ${name} to ${shown(value)} in this turn, and ${what}${way}`,
    };
  }
  return "allow";
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
}
