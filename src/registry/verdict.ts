// What a schema says of a value, by the same code on the host's thread and away from it.
import { messageOf } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { nestsDeeper } from "./depth.ts";
import { describeValue } from "./describe-value.ts";
import { type Issue, readComplaints } from "./issues.ts";
import { Overspent } from "./meter.ts";
import { type Allowance, type Checker, compileSchema, type Dialect } from "./validator.ts";

/** A schema as it is compiled. */
export interface SchemaForm {
  readonly json: JsonObject;
  readonly dialect: Dialect;
}

/** `broken`: no value can be checked, for a reason. `unfinished`: the allowance was too small for this value. */
export type Verdict =
  | { readonly kind: "match" }
  | { readonly kind: "mismatch"; readonly issues: readonly Issue[] }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "unfinished"; readonly reason: string };

export type Judge = (value: JsonValue) => Verdict;

/** A value nested no deeper than this can overflow the stack only where the schema refers to itself without end. */
const shallow = 32;

export const tooDeep = "a value that is not nested too deeply to be checked";
export const tooManySteps = "a value that takes fewer steps to be checked";

/** Compiles the schema; `note` hears of what is left unchecked. */
export function makeJudge({ json, dialect }: SchemaForm, note: (message: string) => void, allowance: Allowance): Judge {
  let check: Checker;
  try {
    check = compileSchema(json, dialect, note, allowance);
  } catch (error) {
    const verdict = failed(error);
    return () => verdict;
  }
  return (value) => {
    try {
      const complaints = check(value);
      if (complaints === undefined) return { kind: "match" };
      return { kind: "mismatch", issues: readComplaints(complaints, json, value) };
    } catch (error) {
      const isDeep = error instanceof RangeError && nestsDeeper(value, shallow);
      return isDeep && passes(check) ? refuseValue(tooDeep, value) : failed(error);
    }
  };
}

function failed(error: unknown): Verdict {
  if (error instanceof Overspent) return { kind: "unfinished", reason: error.message };
  return {
    kind: "broken",
    reason: error instanceof RangeError ? "it refers to itself without end" : messageOf(error),
  };
}

/** Whether a check can be done at all. */
function passes(check: Checker): boolean {
  try {
    check({});
    return true;
  } catch {
    return false;
  }
}

/** A mismatch of the whole value. */
export const refuseValue = (expected: string, value: unknown): Verdict & { readonly kind: "mismatch" } => ({
  kind: "mismatch",
  issues: [{ path: "$", expected, came: describeValue(value) }],
});
