import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Fault, messageOf } from "../errors.ts";
import type { RunResult } from "../index.ts";
import { ledgerOf } from "../runtime/report.ts";
import { noConfig, readConfig } from "./config.ts";
import { onInterrupt } from "./interrupt.ts";
import { keepRecord } from "./keep-record.ts";
import { openConfig } from "./open.ts";
import { escaped } from "./printable.ts";
import { showProgress } from "./progress.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

export interface RunOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** `codecall run`: the value or, with `json`, the whole result on stdout; all else on stderr. */
export async function run(file: string, options: RunOptions, stdio: Stdio): Promise<number> {
  const { notes } = stdio;
  const config = options.config === undefined ? noConfig : readConfig(options.config);
  const code = await readProgram(file);
  using interruption = onInterrupt();
  await using opened = await openConfig(config, noteLogger(notes, false), interruption.signal);
  for (const failure of opened.failures) notes.warn(`${failure.message}\n  its tools are missing in this run`);
  await using session = await opened.agent.session("command-line", { tenant: "local" });
  const turn = session.turn({ signal: interruption.signal });
  const watching = showProgress(turn.events, notes, stdio.terminal);
  const result = await turn.run(code);
  turn[Symbol.dispose]();
  await watching;
  keepRecord(config, result.calls, notes);
  report(result, options.json === true, stdio);
  return interruption.code() ?? exitOf(result);
}

async function readProgram(file: string): Promise<string> {
  if (file === "-") return await text(process.stdin);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const what = missing ? "there is no such file" : `the file cannot be read: ${messageOf(error)}`;
    throw new Fault("invalid_options", `${file}: ${what}`, {
      hint: "name the file of the program, or - to read it from stdin",
    });
  }
}

function report(result: RunResult, json: boolean, { notes, result: out }: Stdio): void {
  for (const warning of result.warnings) notes.warn(warning);
  if (result.calls.length > 0) {
    notes.faint(`calls of ${result.runId} (${result.calls.length}):`);
    for (const line of ledgerOf(result.calls)) notes.faint(line);
  }
  if (result.status === "failed" || result.status === "cancelled") {
    const { name, message, frame, code, hint } = result.error;
    notes.fail(
      `${name === undefined ? "" : `${name}: `}${message} [${code}]${frame === undefined ? "" : `\n${frame}`}`,
      hint,
    );
  }
  if (json) out.write(`${escaped(JSON.stringify(result))}\n`);
  else if (result.status === "completed") out.write(`${escaped(JSON.stringify(result.value, null, 2))}\n`);
}

function exitOf(result: RunResult): number {
  return { completed: exits.completed, failed: exits.failed, cancelled: exits.failed, suspended: exits.suspended }[
    result.status
  ];
}
