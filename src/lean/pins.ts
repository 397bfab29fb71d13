import { isObject } from "../is-object.ts";
import { canonicalJson, type JsonValue } from "../json.ts";
import type { CallView, Verdict } from "../registry/policy.ts";
import type { Pin } from "./commands.ts";

const shownChars = 60;

/** Refuses a call whose arguments are not those that a typed command pins, neither as they came nor as they will run. */
export function judgePins(pins: readonly Pin[], { name, args, sent }: CallView): Verdict | "allow" {
  for (const { tool, argument, value, by, liftedBy } of pins) {
    if (tool !== name) continue;
    const came = valueOf(sent, argument);
    if (isSame(came, value) || isSame(valueOf(args, argument), value)) continue;
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

const valueOf = (args: unknown, argument: string): unknown =>
  isObject(args) && Object.hasOwn(args, argument) ? args[argument] : undefined;

function isSame(came: unknown, value: JsonValue): boolean {
  if (came === undefined) return false;
  try {
    return canonicalJson(came as JsonValue) === canonicalJson(value);
  } catch {
    return false;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
}
