import { distance } from "fastest-levenshtein";

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether two names differ in case and separators at most. */
export const isSameName = (a: string, b: string): boolean => bare(a) === bare(b);

/** The candidates that `name` was most likely meant to be, best first: those that differ in case and separators alone, then by edits. */
export function nearest(name: string, candidates: readonly string[], max = 3): string[] {
  const wanted = bare(name);
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name) continue;
    const other = bare(candidate);
    const longest = Math.max(wanted.length, other.length);
    if (longest === 0) continue;
    let score: number;
    if (other === wanted) score = 0;
    else if (wanted.length >= 3 && other.length >= 3 && (other.endsWith(wanted) || wanted.endsWith(other))) score = 0.5;
    else score = distance(wanted, other);
    if (score <= Math.max(1, Math.floor(longest / 3)) && score < longest) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, max).map((entry) => entry.candidate);
}
