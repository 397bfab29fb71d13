import { serve as serveAgent } from "../mcp/server.ts";
import { readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { checkRecord, keepRecord } from "./keep-record.ts";
import { openConfig } from "./open.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

/** `codecall serve`: an MCP server on stdin and stdout until stdin ends or a signal comes. */
export async function serve(
  options: { readonly config: string },
  { result, notes }: Stdio,
  interruption: Interruption,
): Promise<number> {
  const config = readConfig(options.config);
  checkRecord(config);
  interruption.carryOn();
  const logger = noteLogger(notes, false);
  await using opened = await openConfig(config, logger, interruption.signal);
  for (const failure of opened.failures) notes.warn(`${failure.message}\n  its tools are missing until the next start`);
  await using served = await serveAgent(opened.agent, {
    stdout: result,
    onRecord: (entries) => keepRecord(config, entries, notes),
    logger,
  });
  const stop = (): void => void served.close();
  interruption.signal.addEventListener("abort", stop, { once: true });
  if (interruption.signal.aborted) stop();
  await served.closed;
  return exits.completed;
}
