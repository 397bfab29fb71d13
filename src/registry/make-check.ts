// A check is made at the first value. One that cannot be made, or fails whatever the value, lets every value through
// from then on, with one warning; one that fails at a value alone refuses that value.
import { messageOf } from "../errors.ts";
import { isObject } from "../is-object.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { nestsDeeper } from "./depth.ts";
import { describeValue } from "./describe-value.ts";
import { type Issue, readComplaints } from "./issues.ts";
import { Overspent } from "./meter.ts";
import { type Checker, compileSchema, type Dialect } from "./validator.ts";

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface SchemaUse {
  /** Whose schema it is, for messages: `tool "x", inputSchema`. */
  readonly what: string;
  /** An input is always an object. */
  readonly io: "input" | "output";
  /** Hears of what is not checked, at once or at the first use. */
  readonly warn: (message: string) => void;
  /** Where there is one, a schema that is broken goes no further. */
  readonly fail?: (message: string) => never;
}

type Parse = (value: JsonValue) => Parsed;

/** A value nested no deeper than this can overflow the stack only where the schema refers to itself without end. */
const shallow = 32;

export function makeCheck(json: JsonObject, dialect: Dialect, use: SchemaUse): Parse {
  let parse: Parse | undefined;

  function giveUp(error: unknown): Parse {
    const reason = error instanceof RangeError ? "it refers to itself without end" : messageOf(error);
    use.warn(`${use.what} cannot be used: ${reason}; ${instead(use.io)}`);
    return passUnchecked(use.io);
  }

  function compile(): Parse {
    let check: Checker;
    try {
      check = compileSchema(json, dialect, (message) => use.warn(`${use.what}: ${message}`));
    } catch (error) {
      return giveUp(error);
    }
    return (value) => {
      try {
        const complaints = check(value);
        if (complaints === undefined) return { ok: true, value };
        return { ok: false, issues: readComplaints(complaints, json, value) };
      } catch (error) {
        const expected = isOfValue(error, value, check);
        if (expected !== undefined) return refuse(expected, value);
        parse = giveUp(error);
        return parse(value);
      }
    };
  }

  return (value) => (parse ??= compile())(value);
}

/** What the value would have to be for the check to be done; undefined where no value is. */
function isOfValue(error: unknown, value: JsonValue, check: Checker): string | undefined {
  const isDeep = error instanceof RangeError && nestsDeeper(value, shallow);
  if (!isDeep && !(error instanceof Overspent)) return undefined;
  try {
    check({});
  } catch {
    return undefined;
  }
  return isDeep
    ? "a value that is not nested too deeply to be checked"
    : "a value that takes fewer steps to be checked";
}

/** What stands for a check that cannot be done: of an input it still asks that it is an object. */
export function passUnchecked(io: SchemaUse["io"]): Parse {
  return (value) => (io === "output" || isObject(value) ? { ok: true, value } : refuse("an object", value));
}

export const instead = (io: SchemaUse["io"]): string =>
  io === "input" ? "any object is let through" : "results are not checked";

const refuse = (expected: string, value: unknown): Parsed => ({
  ok: false,
  issues: [{ path: "$", expected, came: describeValue(value) }],
});
