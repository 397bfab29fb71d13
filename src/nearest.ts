import { distance } from "fastest-levenshtein";

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether two names differ in case and separators at most. */
export const isSameName = (a: string, b: string): boolean => bare(a) === bare(b);

/** Whether two names differ in two letters next to each other that changed places. */
function isSwapped(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/**
 * Whether one name is surely the other misspelt: equal but for case and separators, two letters swapped, or one letter off,
 * two in long names. Names that differ in their digits are siblings.
 */
export function isNearMiss(a: string, b: string): boolean {
  const [one, other] = [bare(a), bare(b)];
  if (one === other || (one.length > 2 && isSwapped(one, other))) return true;
  const shorter = Math.min(one.length, other.length);
  const slips = shorter >= 8 ? 2 : shorter >= 4 ? 1 : 0;
  if (Math.max(a.length, b.length) > readChars || slips < Math.abs(one.length - other.length)) return false;
  return one.replace(/\D/g, "") === other.replace(/\D/g, "") && distance(one, other) <= slips;
}

/** The candidates that `name` was most likely meant to be, best first: those that differ in case and separators alone, then by edits. */
export type Nearest = (name: string, max?: number) => string[];

/** Of a longer name only so much is read, of its length so much counts, and of what differs so much is compared by edits. */
const readChars = 256;
const countedChars = 64;
const comparedChars = 32;
const rememberedAtMost = 64;

interface Normal {
  readonly text: string;
  /** One bit for each kind of character in the text. */
  readonly kinds: number;
}

export function nearest(name: string, candidates: readonly string[], max = 3): string[] {
  return prepareNearest(candidates)(name, max);
}

/** For many names against the same candidates: what can be known of these is worked out once. */
export function prepareNearest(candidates: readonly string[]): Nearest {
  const prepared = [...new Set(candidates)].map((candidate) => ({ candidate, normal: normalise(candidate) }));
  const answers = new Map<string, readonly string[]>();

  function rank(name: string): readonly string[] {
    const wanted = normalise(name);
    const scored: { candidate: string; score: number }[] = [];
    for (const { candidate, normal } of prepared) {
      if (candidate === name) continue;
      const score = compare(wanted, normal);
      if (score !== undefined) scored.push({ candidate, score });
    }
    scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
    return scored.map(({ candidate }) => candidate);
  }

  return (name, max = 3) => {
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = rank(name);
      const oldest = answers.keys().next();
      if (answers.size >= rememberedAtMost && oldest.done !== true) answers.delete(oldest.value);
      if (name.length <= readChars) answers.set(name, answer);
    }
    return answer.slice(0, max);
  };
}

function normalise(name: string): Normal {
  const text = bare(name.slice(0, readChars));
  let kinds = 0;
  for (let at = 0; at < text.length; at++) kinds |= 1 << (text.charCodeAt(at) % 32);
  return { text, kinds };
}

/** How far apart two names are, undefined where too far; each cheap look saves the edits from being counted. */
function compare({ text: a, kinds: kindsOfA }: Normal, { text: b, kinds: kindsOfB }: Normal): number | undefined {
  if (a === "" && b === "") return undefined;
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (b.endsWith(a) || a.endsWith(b))) return 0.5;
  const longest = Math.min(Math.max(a.length, b.length), countedChars);
  const most = Math.min(Math.max(1, Math.floor(longest / 3)), longest - 1);
  if (Math.abs(a.length - b.length) > most) return undefined;
  if (countBits(kindsOfA & ~kindsOfB) > most || countBits(kindsOfB & ~kindsOfA) > most) return undefined;
  const score = countEdits(a, b);
  return score <= most ? score : undefined;
}

/** Exact where what lies between the common start and the common end is short, else too few. */
function countEdits(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const cut = (text: string): string => text.slice(start, Math.min(text.length - end, start + comparedChars));
  return distance(cut(a), cut(b));
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
