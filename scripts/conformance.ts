// npm run conformance -- FOLDER [--under PATH] [--json FILE]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Result, runSuite, type Verdict } from "./conformance/suite.ts";

const kinds = ["pass", "fail", "gap", "engine", "skipped"] as const satisfies readonly Verdict["kind"][];

const count = (results: readonly Result[], kind: Verdict["kind"]): number =>
  results.filter(({ verdict }) => verdict.kind === kind).length;

/** Counts by what `by` gives, the most first. */
function tally(results: readonly Result[], by: (verdict: Verdict) => string | undefined): [string, number][] {
  const groups = Map.groupBy(results, ({ verdict }) => by(verdict));
  return [...groups]
    .flatMap(([key, all]): [string, number][] => (key === undefined ? [] : [[key, all.length]]))
    .sort((a, b) => b[1] - a[1]);
}

function renderDirectories(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ path }) => path.split("/").slice(0, -1).slice(0, 2).join("/"));
  const width = Math.max(9, ...[...groups.keys()].map((name) => name.length));
  const line = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join("")}`;
  const counts = (some: readonly Result[]): number[] => kinds.map((kind) => count(some, kind));
  return [
    line("directory", kinds),
    ...[...groups].map(([name, some]) => line(name, counts(some))),
    line("all", counts(results)),
  ].join("\n");
}

const renderTally = (title: string, rows: readonly [string, number][]): string =>
  [`${title}:`, ...rows.map(([name, number]) => `${String(number).padStart(7)}  ${name}`)].join("\n");

export function renderReport(results: readonly Result[]): string {
  const failures = results.flatMap(({ path, verdict }) =>
    verdict.kind === "fail" ? [`${path}\n    ${verdict.message.split("\n")[0]}`] : [],
  );
  return [
    renderDirectories(results),
    renderTally(
      "deliberate gaps",
      tally(results, (verdict) => (verdict.kind === "gap" ? verdict.gap : undefined)),
    ),
    renderTally(
      "skipped",
      tally(results, (verdict) => (verdict.kind === "skipped" ? verdict.reason : undefined)),
    ),
    ...(failures.length > 0 ? [`failed without an explanation:\n${failures.join("\n")}`] : []),
  ].join("\n\n");
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { under: { type: "string" }, json: { type: "string" } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error("name the folder that holds harness/ and test/");
  const results = await runSuite({ folder, ...(values.under === undefined ? {} : { under: values.under }) });
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, undefined, 1));
  console.log(renderReport(results));
  if (results.length === 0 || count(results, "fail") > 0) process.exitCode = 1;
}
