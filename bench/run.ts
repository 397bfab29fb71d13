// npm run bench -- [--json] [--only NAME]... [--write]
import { parseArgs } from "node:util";
import { type Case, type Figure, measure } from "./row.ts";
import { callCosts, fanOut, filter } from "./rows/calls.ts";
import { cpu } from "./rows/cpu.ts";
import { lean } from "./rows/lean.ts";
import { latency, throughput } from "./rows/programs.ts";
import { prompt } from "./rows/prompt.ts";
import { pure } from "./rows/pure.ts";
import { durableRuns } from "./rows/resume.ts";
import { search } from "./rows/search.ts";
import { cold, memory } from "./rows/start.ts";
import { durable, waiting } from "./rows/store.ts";
import { surface } from "./rows/surface.ts";
import { declaring, tokens } from "./rows/tokens.ts";
import { describeMachine, writeSection } from "./section.ts";

const cases: Readonly<Record<string, () => Promise<Case>>> = {
  memory,
  cold,
  calls: callCosts,
  "fan-out": fanOut,
  programs: latency,
  throughput,
  filter,
  cpu,
  pure,
  surface,
  prompt,
  declaring,
  tokens,
  search,
  lean,
  store: durable,
  waiting,
  durable: durableRuns,
};

interface Options {
  readonly json: boolean;
  readonly write: boolean;
  readonly names: readonly string[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      write: { type: "boolean", default: false },
    },
  });
  const names = values.only ?? Object.keys(cases);
  const unknown = names.find((name) => !Object.hasOwn(cases, name));
  if (unknown !== undefined) throw new Error(`no case "${unknown}"; the cases are ${Object.keys(cases).join(", ")}`);
  return { json: values.json, write: values.write, names };
}

const digits = (value: number): string => value.toFixed(value < 100 ? 2 : 0);

function renderTable(figures: readonly Figure[]): string {
  const head = ["case", "what", "median", "p95", "unit", "n", "ratio"];
  const rows = figures.map((one) => [
    one.case,
    one.row,
    digits(one.median),
    digits(one.p95),
    one.unit,
    String(one.samples),
    one.ratio === undefined ? "" : `${one.ratio.toFixed(2)} of ${one.against}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

async function main(): Promise<void> {
  const { json, write, names } = readOptions();
  const figures: Figure[] = [];
  for (const name of names) {
    const one = await cases[name]?.();
    if (one === undefined) continue;
    try {
      figures.push(...(await measure(one)));
    } finally {
      await one.close();
    }
  }
  const machine = describeMachine();
  const table = renderTable(figures);
  console.log(json ? JSON.stringify({ machine, figures }, undefined, 2) : `${table}\n${machine}`);
  if (write) writeSection("codecall", `${machine}\n\n\`\`\`text\n${table}\n\`\`\``);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
