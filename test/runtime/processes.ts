import { readdirSync, readFileSync } from "node:fs";
import { vi } from "vitest";

/** Whether the tree of processes can be read here. */
export const readsProcesses: boolean = process.platform === "linux";

function stat(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const [state = "", parent = ""] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** Zombies are dead. */
const isAlive = (pid: number): boolean => (stat(pid)?.state ?? "Z") !== "Z";

export function childrenOf(parent: number, named: RegExp): number[] {
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    if (stat(pid)?.parent !== parent || !isAlive(pid)) return false;
    try {
      return named.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    } catch {
      return false;
    }
  });
}

/** Resolves once every process is gone. */
export const gone = (pids: readonly number[]): Promise<unknown> =>
  vi.waitUntil(() => !pids.some(isAlive), { timeout: 20_000, interval: 20 });

/** Living processes below this one, at any depth. */
export function descendantsOf(parent: number | undefined): number[] {
  const children = parent === undefined ? [] : childrenOf(parent, /(?:)/);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
