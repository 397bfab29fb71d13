// A search with the same words, in any order or case, brings nothing new: the model is told so, and at the last repeat that a
// turn may make its searching is over. Programs may search in loops; what they are is judged as a whole elsewhere.
import type { Failure } from "../errors.ts";
import { bounds } from "../limits.ts";
import { shownQuery } from "../registry/search-answer.ts";
import { wordsOf } from "../registry/search-words.ts";

export interface SearchLoop {
  /** Why this search is refused; undefined lets it through. `seen` is what is searched, another after a change. One that never ran is no search yet. */
  judge(query: string, kind: string, seen: object): Failure | undefined;
  /** What a search bound, for the answer to its repeats. */
  bound(query: string, kind: string, names: readonly string[]): void;
  /** Why the turn's next request should permit no tool. */
  readonly ended: string | undefined;
}

export function createSearchLoop(): SearchLoop {
  const known = new Map<string, { readonly seen: object; bound?: readonly string[] }>();
  let repeats = 0;
  let ended: string | undefined;
  return {
    judge(query, kind, seen) {
      const key = keyOf(query, kind);
      const before = known.get(key);
      if (before?.seen !== seen || before.bound === undefined) {
        known.set(key, { seen });
        return undefined;
      }
      repeats += 1;
      const told =
        before.bound.length === 0 ? "it bound nothing" : `the tools are already bound: ${before.bound.join(", ")}`;
      const message = `this turn already searched for ${shownQuery(query)}, and ${told}`;
      if (repeats < bounds.searchRepeats) return { code: "search_repeated", message };
      ended = `${message}; that was repeat ${repeats} of a search, so answer with what there is`;
      return { code: "search_repeated", message: ended };
    },
    bound(query, kind, names) {
      const entry = known.get(keyOf(query, kind));
      if (entry !== undefined) entry.bound = names;
    },
    get ended() {
      return ended;
    },
  };
}

function keyOf(query: string, kind: string): string {
  const words = wordsOf(query).map((word) => word.toLowerCase());
  return JSON.stringify([kind, words.length === 0 ? query : [...new Set(words)].toSorted()]);
}
