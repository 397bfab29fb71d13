// What a process and those below it hold; Linux only.
import { readdirSync } from "node:fs";
import { descendants } from "../../bench/memory.ts";

export interface Sample {
  readonly programs: number;
  readonly heapMb: number;
  readonly rssMb: number;
  /** Open handles and requests of the event loop. */
  readonly handles: number;
  readonly processes: number;
  readonly files: number;
  readonly msPerProgram: number;
}

const mb = (bytes: number): number => bytes / 1_048_576;

/** Collects garbage first, so that the heap is what is held. */
export function takeSample(programs: number, msPerProgram: number): Sample {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    programs,
    heapMb: mb(heapUsed),
    rssMb: mb(rss),
    handles: process.getActiveResourcesInfo().length,
    processes: descendants(process.pid).length,
    files: readdirSync("/proc/self/fd").length,
    msPerProgram,
  };
}

/** What a sample may have more than the one it is compared with: a share of it and an amount. */
const allowed = {
  heapMb: { share: 0.1, amount: 3 },
  rssMb: { share: 0.2, amount: 32 },
} as const;

/** What grew: between the sample after warming up and the last one, and over all from before the runtime to after its end. */
export function findGrowth(warm: Sample, last: Sample, before: Sample, after: Sample): string[] {
  const grown: string[] = [];
  for (const [name, { share, amount }] of Object.entries(allowed) as [
    keyof typeof allowed,
    { share: number; amount: number },
  ][]) {
    if (last[name] > warm[name] * (1 + share) + amount) {
      grown.push(`${name} grew from ${warm[name].toFixed(1)} to ${last[name].toFixed(1)}`);
    }
  }
  for (const name of ["handles", "processes", "files"] as const) {
    if (after[name] > before[name])
      grown.push(`${name}: ${before[name]} before, ${after[name]} after the runtime closed`);
  }
  return grown;
}

const columns = [
  ["programs", 0],
  ["heapMb", 1],
  ["rssMb", 0],
  ["handles", 0],
  ["processes", 0],
  ["files", 0],
  ["msPerProgram", 1],
] as const;

const heads: readonly string[] = [
  "programs",
  "heap, MB",
  "RSS, MB",
  "handles",
  "processes",
  "open files",
  "ms a program",
];
const cells = (sample: Sample): string[] => columns.map(([name, digits]) => sample[name].toFixed(digits));

export const soakHead: string = `| ${heads.join(" | ")} |\n|${"---:|".repeat(heads.length)}`;
export const soakLine = (sample: Sample): string => `| ${cells(sample).join(" | ")} |`;
