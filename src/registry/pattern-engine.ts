import { messageOf } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { bounds } from "../limits.ts";
import { describeValue } from "./describe-value.ts";
import { childOf } from "./json-pointer.ts";
import { type Meter, Overspent } from "./meter.ts";
import { compilePattern } from "./patterns.ts";

/** What stands for a compiled pattern in a validator, which tells patterns apart by their text. */
export interface Matcher {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

export interface PatternEngine {
  readonly match: (pattern: string) => Matcher;
  readonly isUnchecked: (pattern: string) => boolean;
}

/** States followed in one step, and what a pattern and a use of it cost before any text is read. */
const statesAtOnce = 16;
const statesOfAny = 40;
const stepsOfAny = 8;
const notesAtMost = 10;
const reasonChars = 200;

/** Under these a pattern that lets everything through would refuse values or pass the wrong ones. */
const turning: readonly string[] = ["not", "if", "oneOf"];

/** The patterns of one schema; `note` hears once of each that is left unchecked. `match` throws `Overspent` beyond `mostStates`. */
export function makePatternEngine(
  json: JsonObject,
  meter: Meter,
  note: (message: string) => void,
  mostStates: number,
): PatternEngine {
  const made = new Map<string, Matcher | undefined>();
  let left: number = bounds.patternStates;
  let notes = 0;

  function make(pattern: string): Matcher | undefined {
    try {
      const { states, test } = compilePattern(pattern, left - statesOfAny);
      left -= states + statesOfAny;
      if (bounds.patternStates - left > mostStates) throw new Overspent("its patterns take too many states");
      const stepsOfChar = states / statesAtOnce;
      return {
        test(text) {
          meter.spend(stepsOfAny + text.length * stepsOfChar);
          return test(text);
        },
        toString: () => pattern,
      };
    } catch (error) {
      if (error instanceof Overspent) throw error;
      const place = findPattern(json, pattern) ?? [];
      const named = `the pattern ${describeValue(pattern)} at #${place.map((key) => `/${key}`).join("")}`;
      const reason = messageOf(error).slice(0, reasonChars);
      const above = turning.find((keyword) => place.includes(keyword));
      if (above !== undefined)
        throw new Error(`${named}, below ${above}, cannot be checked: ${reason}`, { cause: error });
      notes += 1;
      if (notes <= notesAtMost) note(`${named} is left unchecked: ${reason}`);
      else if (notes === notesAtMost + 1) note("more of its patterns are left unchecked");
      return undefined;
    }
  }

  function get(pattern: string): Matcher | undefined {
    if (!made.has(pattern)) made.set(pattern, make(pattern));
    return made.get(pattern);
  }

  return {
    match: (pattern) => get(pattern) ?? { test: () => true, toString: () => pattern },
    isUnchecked: (pattern) => get(pattern) === undefined,
  };
}

/** The keys to where a pattern is used first. */
function findPattern(schema: unknown, pattern: string): readonly string[] | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "pattern" && value === pattern) return [key];
    if (key === "patternProperties" && childOf(value, pattern) !== undefined) return [key];
    const inner = findPattern(value, pattern);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}
