// What the model reads of a run: the value or the error, the console, the warnings, and the ledger of what its calls did.
import type { RecordEntry } from "../bridge/record.ts";
import { preview } from "../preview.ts";
import type { RunParts } from "./result.ts";

export interface ModelTextOptions {
  /** Estimated as a quarter of the characters; 8,000 unless given. */
  readonly maxTokens?: number;
}

const defaultTokens = 8_000;
const fewestChars = 400;

function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const note = ` … ${text.length - chars} characters left out … `;
  const head = Math.max(0, Math.ceil((chars - note.length) * 0.7));
  const tail = Math.max(0, chars - note.length - head);
  return `${text.slice(0, head)}${note}${tail === 0 ? "" : text.slice(-tail)}`;
}

function tally(entries: readonly RecordEntry[]): string {
  const counts = new Map<string, number>();
  for (const { tool } of entries) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) => (count === 1 ? tool : `${tool} ×${count}`)).join(", ");
}

const numbered = (entries: readonly RecordEntry[]): string =>
  entries.map(({ seq, tool }) => `#${seq} ${tool}`).join(", ");

const reasoned = (entries: readonly RecordEntry[]): string =>
  entries
    .map(
      ({ seq, tool, failure }) =>
        `#${seq} ${tool} (${failure === undefined ? "no reason" : `${failure.code}: ${cut(failure.message, 300)}`})`,
    )
    .join("; ");

interface Row {
  readonly title: string;
  readonly of: (entry: RecordEntry) => boolean;
  readonly text: (entries: readonly RecordEntry[]) => string;
}

/** In the order in which a model needs to know of them; the first that fits takes an entry. */
const rows: readonly Row[] = [
  { title: "planned, not executed", of: ({ status }) => status === "planned" || status === "pending", text: numbered },
  {
    title: "accepted, not confirmed",
    of: ({ effect, status }) => status === "ok" && effect === "accepted",
    text: numbered,
  },
  { title: "done", of: ({ effect, status }) => status === "ok" && effect === "done", text: numbered },
  { title: "read", of: ({ status }) => status === "ok", text: tally },
  { title: "done, but failed afterwards (do not repeat)", of: ({ effect }) => effect === "done", text: reasoned },
  {
    title: "unknown whether it took effect (check before repeating)",
    of: ({ effect, status }) => effect === "unknown" || status === "unknown",
    text: reasoned,
  },
  { title: "never started", of: ({ status, attempts }) => status === "cancelled" && attempts === 0, text: numbered },
  { title: "refused", of: ({ status }) => status === "refused", text: reasoned },
  { title: "failed", of: () => true, text: reasoned },
];

/** The ledger: which calls are done, accepted, planned, failed, unknown or never started. */
export function ledgerOf(calls: readonly RecordEntry[]): readonly string[] {
  const lines: string[] = [];
  const left = new Set(calls);
  for (const row of rows) {
    const entries = [...left].filter(row.of);
    for (const entry of entries) left.delete(entry);
    if (entries.length > 0) lines.push(`- ${row.title}: ${row.text(entries)}`);
  }
  return lines;
}

function headOf(run: RunParts, chars: number): string {
  if (run.status === "completed") {
    const shown = preview(run.value, Math.max(fewestChars, chars));
    const whole = run.truncated === undefined && shown.dropped.length === 0;
    const dropped = [...(run.truncated?.dropped ?? []), ...shown.dropped].slice(0, 5);
    const note = whole
      ? ""
      : `\n(shortened${run.truncated === undefined ? "" : ` from ${run.truncated.bytes} bytes`}: ${dropped.map(({ path, kept, of }) => `${path} shows ${kept} of ${of}`).join(", ")}; return less, or a summary)`;
    return `Completed. Value:\n${JSON.stringify(shown.value)}${note}`;
  }
  if (run.status === "suspended") return `Suspended: waiting for ${run.pending.join(", ")}.`;
  const { name, message, code, frame, hint } = run.error;
  const title = `${run.status === "failed" ? "Failed" : "Cancelled"}: ${name === undefined ? "" : `${name}: `}${cut(message, 2_000)} [${code}]`;
  return [title, ...(frame === undefined ? [] : [frame]), ...(hint === undefined ? [] : [`Hint: ${hint}`])].join("\n");
}

export function renderForModel(run: RunParts, options: ModelTextOptions = {}): string {
  const chars = Math.max(fewestChars, (options.maxTokens ?? defaultTokens) * 4);
  const ledger = ledgerOf(run.calls);
  const parts: string[] = [];
  if (run.warnings.length > 0)
    parts.push(cut(`Warnings:\n${run.warnings.map((text) => `- ${text}`).join("\n")}`, Math.ceil(chars * 0.15)));
  if (ledger.length > 0) {
    const title = `Calls of ${run.runId} (${run.calls.length}):`;
    parts.push(cut(`${title}\n${ledger.join("\n")}`, Math.ceil(chars * 0.3)));
  }
  const fixed = parts.reduce((sum, part) => sum + part.length + 2, 0);
  const lines = run.console.map(({ level, text }) =>
    level === "log" || level === "info" ? text : `[${level}] ${text}`,
  );
  const consoleText = lines.length === 0 ? "" : cut(`Console:\n${lines.join("\n")}`, Math.ceil((chars - fixed) * 0.4));
  const head = headOf(run, chars - fixed - consoleText.length - 200);
  return cut([head, ...(consoleText === "" ? [] : [consoleText]), ...parts].join("\n\n"), chars);
}
