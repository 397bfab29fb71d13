import { stemmer } from "stemmer";

// Runs of capitals are a word of their own, and so is a run of digits: `getHTTPStatus2` is get, HTTP, Status, 2.
const word = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;
const longest = 40;

/** What questions say whatever they ask for. */
const stopWords = new Set(
  (
    "a about after again all also am an and any are as at be been before being below between both but by can could did do does " +
    "doing down during each few for from further get give had has have having he help her here him his how i if in into is it " +
    "its itself just know let like ll look looking make me might more most my myself need no nor not now of off on once one only " +
    "or other our ours out over own please provide re s same she should show so some such t tell than thanks that the their them " +
    "then there these they this those through to too tool under until up us use used using ve very want was we were what when " +
    "where which while who whom why will with would you your yours"
  ).split(" "),
);

/** The words of a text, split at case and separators, as written. */
export function wordsOf(text: string): readonly string[] {
  return text.match(word) ?? [];
}

/** What words are compared by; `undefined` for those that say nothing. */
export function stemOf(written: string): string | undefined {
  const lower = written.toLowerCase();
  return stopWords.has(lower) || lower.length > longest ? undefined : stemmer(lower);
}

/** A name without case and separators. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
