import type { Outcome } from "./host.ts";
import type { OutcomeResult, Results, RowResult, Samples } from "./measure.ts";
import { type SystemName, systemNames, titles } from "./system.ts";

const base = "codecall";
/** A host that is held up for less is not worth a word. */
const noticedMs = 100;

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const digits = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** In one cell: no bars, no line breaks. */
const inCell = (text: string): string => {
  const flat = text.replaceAll(/[|\s]+/g, " ").trim();
  return flat.length <= 90 ? flat : `${flat.slice(0, 89)}…`;
};

function rowCell(samples: Samples | undefined, own: Samples | undefined, isRate: boolean): string {
  if (samples === undefined) return "";
  if (typeof samples === "string") return inCell(`fails: ${samples}`);
  const value = median(samples);
  if (own === undefined || typeof own === "string" || own === samples) return digits(value);
  const ratio = isRate ? median(own) / value : value / median(own);
  return Number.isFinite(ratio) ? `${digits(value)} (${digits(ratio)}x)` : digits(value);
}

function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), `|${"---|".repeat(heads.length)}`, ...lines.map(line)].join("\n");
}

function renderRows(rows: readonly RowResult[], names: readonly SystemName[]): string {
  return table(
    ["median", ...names.map((name) => titles[name])],
    rows.map(({ title, unit, samples }) => [
      `${title}, ${unit}`,
      ...names.map((name) => rowCell(samples[name], samples[base], unit === "1/s")),
    ]),
  );
}

function hostileCell(outcome: Outcome | string | undefined): string {
  if (outcome === undefined) return "";
  if (typeof outcome === "string") return inCell(outcome);
  const { kind, ms, blockedMs, answersNext } = outcome;
  return [
    `${kind === "refused" ? "stopped" : "runs to its end"}, ${Math.round(ms)} ms`,
    ...(blockedMs > noticedMs ? [`host held up ${Math.round(blockedMs)} ms`] : []),
    ...(answersNext ? [] : ["the next program fails"]),
  ].join("; ");
}

function checkCell(outcome: Outcome | string | undefined): string {
  if (outcome === undefined) return "";
  if (typeof outcome === "string") return inCell(outcome);
  return outcome.kind === "refused" ? "refused" : `passes, gives ${inCell(outcome.text)}`;
}

function renderOutcomes(
  head: string,
  results: readonly OutcomeResult[],
  cell: (outcome: Outcome | string | undefined) => string,
): string {
  const names = systemNames.filter((name) => name !== "codecall-fresh");
  return table(
    [head, ...names.map((name) => titles[name])],
    results.map(({ program, outcomes }) => [program, ...names.map((name) => cell(outcomes[name]))]),
  );
}

export function render({ rows, hostile, checks }: Results): string {
  return [
    ...(rows.length > 0 ? [renderRows(rows, systemNames)] : []),
    ...(hostile.length > 0 ? [renderOutcomes("hostile program", hostile, hostileCell)] : []),
    ...(checks.length > 0 ? [renderOutcomes("a call in a program", checks, checkCell)] : []),
  ].join("\n\n");
}
