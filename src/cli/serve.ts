import { serve as serveAgent } from "../mcp/server.ts";
import { readConfig } from "./config.ts";
import { onInterrupt } from "./interrupt.ts";
import { keepRecord } from "./keep-record.ts";
import { openConfig } from "./open.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

/** `codecall serve`: an MCP server on stdin and stdout until stdin ends or a signal comes. */
export async function serve(options: { readonly config: string }, { result, notes }: Stdio): Promise<number> {
  const config = readConfig(options.config);
  using interruption = onInterrupt();
  await using opened = await openConfig(config, noteLogger(notes, false), interruption.signal);
  for (const failure of opened.failures) notes.warn(`${failure.message}\n  its tools are missing until the next start`);
  await using served = await serveAgent(opened.agent, {
    stdout: result,
    onRecord: (entries) => keepRecord(config, entries, notes),
  });
  const stop = (): void => void served.close();
  interruption.signal.addEventListener("abort", stop, { once: true });
  if (interruption.signal.aborted) stop();
  await served.closed;
  return interruption.code() ?? exits.completed;
}
