import { readConfig } from "./config.ts";
import { openConfig } from "./open.ts";
import { createNotes, exits, noteLogger } from "./terminal.ts";

/** `codecall types`: the declarations that a program is written against, on stdout. */
export async function types(options: { readonly config: string }): Promise<number> {
  const notes = createNotes();
  await using opened = await openConfig(readConfig(options.config), noteLogger(notes, true));
  process.stdout.write(`${opened.agent.surface().declarations.trimEnd()}\n`);
  for (const failure of opened.failures) notes.fail(failure.message, failure.hint);
  return opened.failures.length === 0 ? exits.completed : exits.failed;
}
