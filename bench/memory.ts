import { readdirSync, readFileSync } from "node:fs";

/** The processes below one, each before its own; Linux only. */
export function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    // it has ended
    return [];
  }
}

/** Megabytes that a process holds for itself, or its share (`Pss`) of everything that it holds. */
export function processMb(pid: number, kind: "Private" | "Pss"): number {
  const line = kind === "Pss" ? /^Pss:\s+(\d+) kB/gm : /^Private_\w+:\s+(\d+) kB/gm;
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return [...rollup.matchAll(line)].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1_024;
}

/** The same of a process and all below it. */
export const treeMb = (pid: number, kind: "Private" | "Pss"): number =>
  [pid, ...descendants(pid)].reduce((sum, one) => sum + processMb(one, kind), 0);
