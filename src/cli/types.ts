import { readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { openConfig } from "./open.ts";
import { escaped } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

/** `codecall types`: the declarations that a program is written against, on stdout. */
export async function types(
  options: { readonly config: string },
  { result, notes }: Stdio,
  { signal }: Interruption,
): Promise<number> {
  await using opened = await openConfig(readConfig(options.config), noteLogger(notes, true), signal);
  const { declarations } = opened.agent.surface();
  result.write(`${escaped(declarations.trimEnd())}\n`);
  if (opened.deployment.surface().tools.length === 0 && opened.failures.length === 0) {
    notes.warn(`${options.config} configures no tools; name servers in "mcpServers" or a module in "tools"`);
  }
  for (const failure of opened.failures) notes.fail(failure.message, failure.hint);
  return opened.failures.length === 0 ? exits.completed : exits.failed;
}
