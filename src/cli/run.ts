import type { RunResult } from "../index.ts";
import { readLimits } from "../limits.ts";
import { readCheck } from "../runtime/check/mode.ts";
import { makeResult } from "../runtime/make-result.ts";
import { noConfig, readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { checkRecord, keepRecord } from "./keep-record.ts";
import { openConfig } from "./open.ts";
import { showProgress } from "./progress.ts";
import { readProgram } from "./read-program.ts";
import { exitOf, reportRun } from "./report-run.ts";
import type { Stdio } from "./stdio.ts";
import { localTenant } from "./store.ts";
import { noteLogger } from "./terminal.ts";

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
  await using session = await opened.agent.session("command-line", {
    tenant: localTenant,
    ...(opened.store === undefined ? {} : { approvals: "later" }),
  });
  const turn = session.turn({ signal });
  const watching = showProgress(turn.events, notes, stdio.terminal);
  const result = await turn.run(text, check === undefined ? {} : { check });
  turn[Symbol.dispose]();
  await watching;
  reportRun(isCut ? overLimit(result, sourceBytes) : result, options, stdio);
  keepRecord(config, result.calls, notes);
  return exitOf(result);
}

/** How long a text is that was not read to its end is not known. */
function overLimit(result: RunResult, limitBytes: number): RunResult {
  if (result.status !== "failed" || result.error.code !== "source_too_large") return result;
  const message = `the program text has more than ${limitBytes} bytes, the limit sourceBytes`;
  return makeResult({ ...result, error: { ...result.error, message } });
}
