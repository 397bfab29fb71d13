import type { RunResult } from "../index.ts";
import { readLimits } from "../limits.ts";
import { describeDropped } from "../preview.ts";
import { readCheck } from "../runtime/check/mode.ts";
import { ledgerOf } from "../runtime/report.ts";
import { makeResult } from "../runtime/make-result.ts";
import { noConfig, readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { checkRecord, keepRecord } from "./keep-record.ts";
import { openConfig } from "./open.ts";
import { escaped } from "./printable.ts";
import { showProgress } from "./progress.ts";
import { readProgram } from "./read-program.ts";
import type { Stdio } from "./stdio.ts";
import { exits, noteLogger } from "./terminal.ts";

export interface RunOptions {
  readonly config?: string;
  readonly json?: boolean;
  readonly check?: string;
}

/** `codecall run`: the value or, with `json`, the whole result on stdout; all else on stderr. */
export async function run(file: string, options: RunOptions, stdio: Stdio, { signal }: Interruption): Promise<number> {
  const { notes } = stdio;
  const check = options.check === undefined ? undefined : readCheck("--check", options.check);
  const config = options.config === undefined ? noConfig : readConfig(options.config);
  checkRecord(config);
  const { sourceBytes } = readLimits(config.limits);
  const { text, isCut } = await readProgram(file, sourceBytes, signal);
  await using opened = await openConfig(config, noteLogger(notes, false), signal);
  for (const failure of opened.failures) notes.warn(`${failure.message}\n  its tools are missing in this run`);
  await using session = await opened.agent.session("command-line", { tenant: "local" });
  const turn = session.turn({ signal });
  const watching = showProgress(turn.events, notes, stdio.terminal);
  const result = await turn.run(text, check === undefined ? {} : { check });
  turn[Symbol.dispose]();
  await watching;
  report(isCut ? overLimit(result, sourceBytes) : result, options.json === true, stdio);
  keepRecord(config, result.calls, notes);
  return exitOf(result);
}

/** How long a text is that was not read to its end is not known. */
function overLimit(result: RunResult, limitBytes: number): RunResult {
  if (result.status !== "failed" || result.error.code !== "source_too_large") return result;
  const message = `the program text has more than ${limitBytes} bytes, the limit sourceBytes`;
  return makeResult({ ...result, error: { ...result.error, message } });
}

function report(result: RunResult, json: boolean, { notes, result: out }: Stdio): void {
  for (const warning of result.warnings) notes.warn(warning);
  if (result.status === "completed" && result.truncated !== undefined) {
    const { bytes } = result.truncated;
    notes.warn(
      `the value is shortened from ${bytes} bytes: ${describeDropped(result.truncated)}; return less, or raise limits.returnBytes`,
    );
  }
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
