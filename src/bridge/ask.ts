import { JsonError, toJson } from "../json.ts";
import type { Ask } from "./call.ts";
import type { Caller } from "./journal.ts";
import { everything } from "./json-bounds.ts";

/** A call of the host's side with its arguments as text; arguments that are no JSON make it a call that is refused, not a throw. */
export function askOf(caller: Caller, name: string, args: unknown, signal?: AbortSignal): Ask {
  const base = { caller, name, ...(signal === undefined ? {} : { signal }) };
  try {
    return { ...base, args: toJson(args, everything) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = `the arguments of ${name} are not JSON: ${error.message}`;
    return { ...base, args: "null", unusable: { code: "arguments_not_json", message } };
  }
}
