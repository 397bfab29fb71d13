import type { RunResult } from "../index.ts";
import { describeDropped } from "../preview.ts";
import { ledgerOf } from "../runtime/report.ts";
import { escaped } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { exits } from "./terminal.ts";

/** The value or, with `json`, the whole result on stdout; all else on stderr. `config`: what a resume has to name. */
export function reportRun(
  result: RunResult,
  { json = false, config }: { readonly json?: boolean | undefined; readonly config?: string | undefined },
  { notes, result: out }: Stdio,
): void {
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
  if (result.status === "suspended") {
    notes.line(`${result.runId} waits for a person:`);
    for (const { callId, tool, args, reason } of result.pending) {
      notes.line(`- ${callId} ${tool}(${JSON.stringify(args)}): ${reason}`);
    }
    const answers = result.pending.map(({ callId }) => ` --answer ${callId}=allow`).join("");
    const from = config === undefined ? "" : ` --config ${JSON.stringify(config)}`;
    notes.line(`to go on: codecall resume ${result.runId}${from}${answers}`);
  }
  if (json) out.write(`${escaped(JSON.stringify(result))}\n`);
  else if (result.status === "completed") out.write(`${escaped(JSON.stringify(result.value, null, 2))}\n`);
}

export const exitOf = ({ status }: RunResult): number =>
  ({ completed: exits.completed, failed: exits.failed, cancelled: exits.failed, suspended: exits.suspended })[status];
