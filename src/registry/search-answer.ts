import type { SearchAnswer } from "./search.ts";

/** The answer as a model reads it; `bound` are the names that it binds. */
export function answerText(query: string, { hits, closest }: SearchAnswer, bound: readonly string[] = []): string {
  const asked = shownQuery(query);
  if (hits.length > 0)
    return [
      `Matches for ${asked}:`,
      ...hits.map(({ name, kind, description }) => `- ${name} [${kind}] — ${description}`),
      ...(bound.length === 0 ? [] : [`Bound for your next step: ${bound.join(", ")}`]),
    ].join("\n");
  return closest.length === 0
    ? `No match for ${asked}: there are no tools.`
    : `No match for ${asked}. The closest names: ${closest.join(", ")}`;
}

const queryChars = 300;

/** A query in quotes, long ones cut. */
export const shownQuery = (query: string): string =>
  JSON.stringify(query.length > queryChars ? `${query.slice(0, queryChars)}…` : query);
