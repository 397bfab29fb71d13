import { expect, it } from "vitest";
import { showProgress } from "../../src/cli/progress.ts";
import type { RunEvent } from "../../src/index.ts";

const events: readonly RunEvent[] = [
  { type: "program.started", runId: "run_1" },
  { type: "call.requested", callId: "run_1.1", tool: "read", args: "{}" },
  { type: "call.decided", callId: "run_1.1", verdict: "allow", code: "allowed", sentence: "nothing speaks against it" },
  { type: "call.started", callId: "run_1.1" },
  { type: "call.progress", callId: "run_1.1", done: 1, total: 3, message: "half" },
  { type: "call.progress", callId: "run_1.1" },
  { type: "console", runId: "run_1", level: "log", text: "hello" },
  { type: "console", runId: "run_1", level: "warn", text: "careful" },
  { type: "call.settled", callId: "run_1.1", tool: "read", status: "ok", effect: "none", ranMs: 12.4 },
  { type: "call.settled", callId: "run_1.2", tool: "write", status: "error", effect: "none", ranMs: 0, message: "no" },
  { type: "program.ended", runId: "run_1", status: "completed" },
];

async function shown(terminal: boolean): Promise<string[]> {
  const lines: string[] = [];
  const push = (text: string): void => void lines.push(text);
  async function* all(): AsyncGenerator<RunEvent> {
    yield* events;
  }
  await showProgress(all(), { line: push, warn: push, fail: push, faint: push }, terminal);
  return lines;
}

it("U1 X15 on a terminal the program and its calls are shown as they come", async () => {
  expect(await shown(true)).toEqual([
    "▸ program run_1",
    "  → read",
    "  … read 1/3 half",
    "  … read",
    "hello",
    "[warn] careful",
    "  ✓ read ok, 12 ms",
    "  ✗ write error, 0 ms: no",
    "▪ completed",
  ]);
});

it("U1 X10 elsewhere only what the program logs is shown", async () => {
  expect(await shown(false)).toEqual(["hello", "[warn] careful"]);
});
