import { Fault } from "../errors.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import { type SearchKind, searchKinds } from "../registry/provided.ts";
import { answerText } from "../registry/search-answer.ts";
import type { SearchHit } from "../registry/search.ts";
import { kindsOf, searchOf } from "../registry/search-surface.ts";
import type { Surface } from "../registry/surface.ts";

export interface SearchOptions {
  /** What is looked for: tools of both kinds, skills and references unless given. */
  readonly kind?: SearchKind;
  /** Hits at most, 5 unless given. */
  readonly limit?: number;
}

export interface FoundHits {
  /** Best first; the name of a skill or reference is the path by which it is read. */
  readonly hits: readonly SearchHit[];
  /** The answer in words, without what a search of the model would bind. */
  readonly text: string;
}

/** Throws `invalid_options` for what is no query, kind or limit. */
export function searchSurface(
  surface: Surface,
  withholds: (name: string) => boolean,
  query: string,
  options: SearchOptions = {},
): FoundHits {
  checkText("the query of a search", query);
  checkOptions("search", options, { kind: "text", limit: "anything" });
  const { kind = "any", limit = 5 } = options;
  if (!searchKinds.includes(kind)) {
    throw new Fault(
      "invalid_options",
      `kind of search must be one of ${searchKinds.join(", ")}, got ${describe(kind)}`,
    );
  }
  if (!Number.isInteger(limit) || limit < 1) {
    throw new Fault("invalid_options", `limit of search must be an integer from 1, got ${describe(limit)}`);
  }
  const answer = searchOf(surface)(query, { limit, kinds: kindsOf(kind), without: withholds });
  return Object.freeze({ hits: answer.hits, text: answerText(query, answer) });
}
