import { searchOf, toolKinds } from "../registry/search-surface.ts";
import type { SearchAnswer } from "../registry/search.ts";
import { readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { openConfig } from "./open.ts";
import { escaped } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

export interface SearchOptions {
  readonly config: string;
  readonly kind: SearchKind;
  readonly limit: number;
  readonly json?: boolean;
}

/** What can be searched for; `tool` and `any` are both kinds of tools at once. */
export const searchKinds = ["any", "tool", "core", "mcp"] as const;
export type SearchKind = (typeof searchKinds)[number];

/** `codecall search`: the tools that answer a question, best first, on stdout. */
export async function search(
  query: string,
  options: SearchOptions,
  { result, notes }: Stdio,
  { signal }: Interruption,
): Promise<number> {
  await using opened = await openConfig(readConfig(options.config), noteLogger(notes, false), signal);
  const kinds = options.kind === "any" || options.kind === "tool" ? toolKinds : [options.kind];
  const answer = searchOf(opened.deployment.surface())(query, { limit: options.limit, kinds });
  result.write(`${escaped(options.json === true ? JSON.stringify(answer) : answerText(query, answer))}\n`);
  for (const failure of opened.failures) notes.fail(failure.message, failure.hint);
  return opened.failures.length === 0 ? exits.completed : exits.failed;
}

function answerText(query: string, { hits, closest }: SearchAnswer): string {
  const asked = JSON.stringify(query);
  if (hits.length > 0)
    return [
      `Matches for ${asked}:`,
      ...hits.map(({ name, kind, description }) => `- ${name} [${kind}] — ${description}`),
    ].join("\n");
  return closest.length === 0
    ? `No match for ${asked}: there are no tools.`
    : `No match for ${asked}. The closest names: ${closest.join(", ")}`;
}
