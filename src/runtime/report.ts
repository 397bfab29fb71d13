// What the model reads of a run: the value or the error, the console, the warnings, and the ledger of what its calls did.
import { Fault } from "../errors.ts";
import type { RecordEntry } from "../bridge/record.ts";
import { readingText } from "../bridge/references.ts";
import { describeDropped, preview } from "../preview.ts";
import type { ModelTextOptions, RunParts } from "./result.ts";

const defaultTokens = 8_000;
const fewestChars = 40;

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

/** Neighbours of one tool are told as one: `#1-#3 pay`. */
function numbered(entries: readonly RecordEntry[]): string {
  const runs: { from: number; to: number; tool: string }[] = [];
  for (const { seq, tool } of entries) {
    const last = runs.at(-1);
    if (last?.tool === tool && last.to === seq - 1) last.to = seq;
    else runs.push({ from: seq, to: seq, tool });
  }
  return runs.map(({ from, to, tool }) => (from === to ? `#${from} ${tool}` : `#${from}-#${to} ${tool}`)).join(", ");
}

const reasoned = (entries: readonly RecordEntry[]): string =>
  entries
    .map(({ seq, tool, failure }) => {
      const why = failure === undefined ? "no reason" : `${failure.code}: ${cut(failure.message, 300)}`;
      return `#${seq} ${tool} (${why})`;
    })
    .join("; ");

interface Row {
  readonly title: string;
  readonly of: (entry: RecordEntry) => boolean;
  readonly text: (entries: readonly RecordEntry[]) => string;
}

/** In the order in which a model needs to know of them; the first that fits takes an entry. */
const rows: readonly Row[] = [
  {
    title: "answered from the record of the former run, not made again",
    of: ({ reused, status }) => reused !== undefined && status !== "unknown",
    text: numbered,
  },
  {
    title: "accepted, not confirmed",
    of: ({ effect, failure }) => effect === "accepted" && failure === undefined,
    text: numbered,
  },
  { title: "planned, not executed", of: ({ status }) => status === "planned", text: numbered },
  { title: "pending, not yet decided", of: ({ status }) => status === "pending", text: numbered },
  { title: "done", of: ({ effect, status }) => status === "ok" && effect === "done", text: numbered },
  { title: "read", of: ({ status }) => status === "ok", text: tally },
  { title: "done, but failed afterwards (do not repeat)", of: ({ effect }) => effect === "done", text: reasoned },
  {
    title: "unknown whether it took effect (check before repeating)",
    of: ({ effect, status }) => effect === "unknown" || status === "unknown",
    text: reasoned,
  },
  { title: "never started", of: ({ failure }) => failure?.code === "call_cancelled", text: numbered },
  { title: "cancelled", of: ({ status }) => status === "cancelled", text: reasoned },
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

function valueOf(run: RunParts & { readonly status: "completed" }, chars: number): string {
  const shown = preview(JSON.stringify(run.value), Math.max(2, chars));
  const text = `Completed. Value:\n${shown.json}`;
  if (run.truncated === undefined && shown.dropped.length === 0) return text;
  const whole = new Map(run.truncated?.dropped.map((entry) => [entry.path, entry.of]));
  const more = (run.truncated?.more ?? 0) + shown.more;
  const dropped = [
    ...shown.dropped.map((entry) => ({ ...entry, of: whole.get(entry.path) ?? entry.of })),
    ...(run.truncated?.dropped ?? []).filter(({ path }) => !shown.dropped.some((entry) => entry.path === path)),
  ];
  const from = run.truncated === undefined ? "" : ` from ${run.truncated.bytes} bytes`;
  return `${text}\n(shortened${from}: ${describeDropped({ dropped, more })}; ${run.reference === undefined ? "return less, or a summary" : `${readingText(run.reference)} in the next program reads the rest`})`;
}

function headOf(run: RunParts, chars: number): string {
  if (run.status === "completed") return valueOf(run, chars);
  if (run.status === "suspended") {
    const waits = run.pending.map(({ callId, tool, reason }) => `${tool} (${callId}): ${reason}`);
    return cut(`Suspended until a person has answered:\n${waits.join("\n")}`, Math.max(fewestChars, chars));
  }
  const { name, message, code, frame, hint, cause } = run.error;
  const title = `${run.status === "failed" ? "Failed" : "Cancelled"}: ${name === undefined ? "" : `${name}: `}${cut(message, 2_000)} [${code}]`;
  return [
    title,
    ...(frame === undefined ? [] : [frame]),
    ...(cause === undefined ? [] : [`Caused by: ${cut(cause, 500)}`]),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ].join("\n");
}

const continueText = (runId: string): string =>
  `To go on, send the corrected program with "continue": "${runId}". Calls that are done are answered from the record and not made again, so the program may ask for them as before.`;

export function renderForModel(run: RunParts, options: ModelTextOptions = {}): string {
  const { maxTokens = defaultTokens } = options;
  if (!(maxTokens > 0))
    throw new Fault("invalid_options", `maxTokens must be a number above 0, got ${String(maxTokens)}`);
  const chars = Math.max(fewestChars, maxTokens * 4);
  const ledger = ledgerOf(run.calls);
  const parts: string[] = [];
  if (run.warnings.length > 0)
    parts.push(cut(`Warnings:\n${run.warnings.map((text) => `- ${text}`).join("\n")}`, Math.ceil(chars * 0.15)));
  if (ledger.length > 0) {
    const title = `Calls of ${run.runId} (${run.calls.length}):`;
    const share = run.status === "completed" ? 0.3 : 0.6;
    parts.push(cut(`${title}\n${ledger.join("\n")}`, Math.ceil(chars * share)));
  }
  if (run.status === "failed" && run.calls.some(({ effect }) => effect === "done")) parts.push(continueText(run.runId));
  if (run.shown.length > 0) {
    const told = run.shown.map(({ ref, type, bytes }) => `${ref} (${type}, ${bytes} bytes)`).join(", ");
    parts.push(cut(`Shown: ${told}`, Math.ceil(chars * 0.1)));
  }
  const fixed = parts.reduce((sum, part) => sum + part.length + 2, 0);
  const lines = run.console.map(({ level, text }) =>
    level === "log" || level === "info" ? text : `[${level}] ${text}`,
  );
  const consoleText = lines.length === 0 ? "" : cut(`Console:\n${lines.join("\n")}`, Math.ceil((chars - fixed) * 0.4));
  const head = headOf(run, chars - fixed - consoleText.length - 200);
  return cut([head, ...(consoleText === "" ? [] : [consoleText]), ...parts].join("\n\n"), chars);
}
