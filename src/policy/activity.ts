import { Fault } from "../errors.ts";
import { type Activity, activityNames } from "../registry/policy.ts";

/** Throws `invalid_options` for what is no activity. */
export function readActivity(given: string | undefined): Activity {
  const found = activityNames.find((name) => name === (given ?? "act"));
  if (found !== undefined) return found;
  throw new Fault(
    "invalid_options",
    `unknown activity ${JSON.stringify(given)}; the activities are ${activityNames.join(", ")}`,
  );
}
