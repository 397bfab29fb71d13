import { answerText } from "../registry/search-answer.ts";
import { kindsOf, searchOf } from "../registry/search-surface.ts";
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
  const answer = searchOf(opened.deployment.surface())(query, { limit: options.limit, kinds: kindsOf(options.kind) });
  result.write(`${escaped(options.json === true ? JSON.stringify(answer) : answerText(query, answer))}\n`);
  for (const failure of opened.failures) notes.fail(failure.message, failure.hint);
  return opened.failures.length === 0 ? exits.completed : exits.failed;
}
