import { Fault } from "../../errors.ts";
import { describe } from "../../options.ts";

/** What is done about what is surely wrong in a program: nothing, a warning, or not to run it. */
export type CheckMode = "off" | "warn" | "refuse";

const modes: readonly CheckMode[] = ["off", "warn", "refuse"];

/** Throws `invalid_options` for what is no mode; `what` names the option. */
export function readCheck(what: string, given: unknown): CheckMode {
  const mode = modes.find((known) => known === given);
  if (mode !== undefined) return mode;
  const known = modes.map((one) => `"${one}"`).join(", ");
  throw new Fault("invalid_options", `${what} must be one of ${known}, got ${describe(given)}`);
}
