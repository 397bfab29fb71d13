import type { RunEvent } from "../index.ts";
import type { Notes } from "./terminal.ts";

/** Prints what a program logs as it comes, and on a terminal also what it does; resolves when the events end. */
export async function showProgress(events: AsyncIterable<RunEvent>, notes: Notes, terminal: boolean): Promise<void> {
  const tools = new Map<string, string>();
  for await (const event of events) {
    if (event.type === "console") {
      notes.line(event.level === "log" || event.level === "info" ? event.text : `[${event.level}] ${event.text}`);
    } else if (terminal) {
      const line = describe(event, tools);
      if (line !== undefined) notes.faint(line);
    }
  }
}

function describe(event: RunEvent, tools: Map<string, string>): string | undefined {
  switch (event.type) {
    case "program.started":
      return `▸ program ${event.runId}`;
    case "call.requested":
      tools.set(event.callId, event.tool);
      return undefined;
    case "call.started":
      return `  → ${tools.get(event.callId) ?? event.callId}`;
    case "call.progress": {
      const amount =
        event.done === undefined ? "" : ` ${event.done}${event.total === undefined ? "" : `/${event.total}`}`;
      return `  … ${tools.get(event.callId) ?? event.callId}${amount}${event.message === undefined ? "" : ` ${event.message}`}`;
    }
    case "call.settled":
      return `  ${event.status === "ok" ? "✓" : "✗"} ${event.tool} ${event.status}, ${Math.round(event.ranMs)} ms${event.message === undefined ? "" : `: ${event.message}`}`;
    case "program.ended":
      return `▪ ${event.status}`;
    default:
      return undefined;
  }
}
