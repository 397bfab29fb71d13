import { Fault } from "../errors.ts";
import { parseJson } from "../json.ts";
import { readConfig } from "./config.ts";
import type { Interruption } from "./interrupt.ts";
import { checkRecord, keepRecord } from "./keep-record.ts";
import { openConfig } from "./open.ts";
import { showProgress } from "./progress.ts";
import { exitOf, reportRun } from "./report-run.ts";
import type { Stdio } from "./stdio.ts";
import { localTenant } from "./store.ts";
import { noteLogger } from "./terminal.ts";

export interface ResumeOptions {
  readonly config: string;
  readonly answer?: readonly string[];
  readonly tenant?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `codecall resume`: goes on with a run of the configured store; output and exit codes are those of `run`. */
export async function resume(
  runId: string,
  options: ResumeOptions,
  stdio: Stdio,
  { signal }: Interruption,
): Promise<number> {
  const { notes } = stdio;
  const answers = readAnswers(options.answer ?? []);
  const config = readConfig(options.config);
  checkRecord(config);
  await using opened = await openConfig(config, noteLogger(notes, false), signal);
  const { store } = opened;
  if (store === undefined) {
    throw new Fault("invalid_config", `${options.config} names no store, so there is no run to go on with`, {
      hint: 'give it one, as in "store": "sqlite:runs.db"',
    });
  }
  for (const failure of opened.failures) notes.warn(`${failure.message}\n  its tools are missing in this run`);
  const { tenant = localTenant, force = false } = options;
  const { session: id } = await store.load(tenant, runId);
  await using session = await opened.agent.session(id, { tenant, approvals: "later" });
  const turn = session.turn({ signal });
  const watching = showProgress(turn.events, notes, stdio.terminal);
  let result;
  try {
    result = await turn.resume(runId, answers, { force });
  } finally {
    turn[Symbol.dispose]();
    await watching;
  }
  reportRun(result, options, stdio);
  keepRecord(config, result.calls, notes);
  return exitOf(result);
}

/** `CALLID=allow`, `CALLID=deny`, or an answer as JSON; throws `invalid_options`. */
export function readAnswers(given: readonly string[]): Readonly<Record<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const text of given) {
    const at = text.indexOf("=");
    const callId = text.slice(0, Math.max(0, at));
    if (callId === "")
      throw new Fault("invalid_options", `--answer is CALLID=allow or CALLID=deny, got ${JSON.stringify(text)}`);
    if (answers.has(callId)) throw new Fault("invalid_options", `--answer is given twice for ${callId}`);
    answers.set(callId, readAnswer(text.slice(at + 1)));
  }
  return Object.fromEntries(answers);
}

function readAnswer(text: string): unknown {
  if (text === "allow" || text === "deny") return text;
  try {
    if (text.startsWith("{")) return parseJson(text);
  } catch {
    // told below
  }
  throw new Fault("invalid_options", `an answer is allow, deny or an object as JSON, got ${JSON.stringify(text)}`, {
    hint: `with a reason: CALLID='{"verdict":"deny","reason":"too much"}'`,
  });
}
