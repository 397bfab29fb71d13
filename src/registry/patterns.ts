import { RE2Set } from "re2js";
import { translatePattern } from "./translate-pattern.ts";

export interface Pattern {
  /** What a character of text may cost, in states to follow at once. */
  readonly states: number;
  /** Whether the pattern is found anywhere in the text, in time that grows with the text alone. */
  readonly test: (text: string) => boolean;
}

/** What the engine may keep of one pattern's states. */
const memoryBytes = 1_048_576;

/** Throws, with the reason, where the pattern is none, cannot be followed in linear time or takes too many states. */
export function compilePattern(pattern: string, maxStates: number): Pattern {
  checkSyntax(pattern);
  const { text, states } = translatePattern(pattern);
  if (states > maxStates) throw new Error(`it takes ${states} states, over the ${maxStates} that are left`);
  // A set of one, since only a set lets its memory be bounded.
  const set = new RE2Set(RE2Set.UNANCHORED, 0, memoryBytes);
  set.add(text);
  set.compile();
  return { states, test: (value) => set.match(value).length > 0 };
}

/** Reads the pattern natively, which says what is wrong with it; it is never run so. */
function checkSyntax(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
