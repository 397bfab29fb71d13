// The layers that Linux can put around a child. What works here is found by trying, once where all of it does, and comes as ways to start a command.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { openPrivateRoot, planRoot } from "./private-root.ts";
import {
  apart,
  everySpace,
  rooted,
  rootedExecutables,
  separated,
  type Space,
  tied,
  tieFlags,
  withoutCapabilities,
} from "./wrappers.ts";

/** What cuts a child off from its host, by the names that people read. */
export const layers = {
  death: "end with the host",
  privileges: "bar on new privileges",
  capabilities: "loss of all capabilities",
  user: "user namespace",
  pid: "pid namespace",
  net: "network namespace",
  ipc: "IPC and UTS namespaces",
  mount: "mount namespace",
  root: "private root",
} as const;

type Layer = keyof typeof layers;
const everyLayer = Object.keys(layers) as readonly Layer[];

/** A way to start a command. */
export interface Isolation {
  /** `seesProcesses`: the command finds its own processes in `/proc`. */
  wrap(command: readonly string[], seesProcesses: boolean): readonly string[];
  /** Processes between the one that is started and the command, each with one child; with some, a signal that ends the command is told as exit code 128 + n. */
  readonly above: number;
}

interface IsolatedFiles {
  readonly nodePath: string;
  readonly scripts: readonly string[];
}

interface Found {
  /** The strongest first; never empty. */
  readonly ways: readonly Isolation[];
  /** What the strongest lacks, and why. */
  readonly missing: ReadonlyMap<Layer, string>;
}

const found = new Map<string, Promise<Found>>();

/**
 * Ways to start a child, to be tried in this order. With `"required"` only one that has every layer; where there is none,
 * rejects with `sandbox_unavailable`, and `details.missing` says which are missing and why.
 */
export async function isolationsFor(mode: "required" | "best", files: IsolatedFiles): Promise<readonly Isolation[]> {
  const key = JSON.stringify([files, process.env.PATH, process.geteuid?.()]);
  const finding = found.get(key) ?? find(files);
  found.set(key, finding);
  const { ways, missing } = await finding;
  // What did not work may do so the next time: it may have been a moment without memory, processes or time.
  if (missing.size > 0 && found.get(key) === finding) found.delete(key);
  if (mode === "best") return ways;
  if (missing.size > 0) throw refusal(missing);
  return ways.slice(0, 1);
}

function refusal(missing: Found["missing"]): Fault {
  const reasons = [...Map.groupBy(missing, ([, why]) => why)].map(
    ([why, group]) => `${group.map(([layer]) => layers[layer]).join(", ")} (${why})`,
  );
  const remedy =
    process.platform === "linux"
      ? "Install util-linux and allow this process user namespaces (a container's seccomp profile, AppArmor or user.max_user_namespaces may forbid them)"
      : "Run the host itself in a container or a virtual machine";
  return new Fault(
    "sandbox_unavailable",
    `isolation "required" is not to be had here; missing: ${reasons.join("; ")}`,
    {
      hint: `${remedy}, or set isolation to "best" to do without.`,
      details: { missing: Object.fromEntries([...missing].map(([layer, why]) => [layers[layer], why])) },
    },
  );
}

async function find(files: IsolatedFiles): Promise<Found> {
  if (process.platform !== "linux") {
    const why = `there is none on ${process.platform}`;
    return { ways: [unwrapped], missing: new Map(everyLayer.map((layer) => [layer, why])) };
  }
  try {
    refuseUnlisted();
    const plan = planRoot({ ...files, executables: rootedExecutables() });
    const root = await openPrivateRoot(plan, [...tied(), ...apart(everySpace), "/bin/sh"]);
    const strongest: Isolation = { above: 2, wrap: rooted(plan, root) };
    return { ways: [strongest, within(everySpace), unforked(tied())], missing: new Map() };
  } catch (error) {
    return survey(reasonOf(error));
  }
}

const unwrapped: Isolation = { above: 0, wrap: (command) => command };

const unforked = (before: readonly string[]): Isolation => ({
  above: 0,
  wrap: (command) => [...before, ...command],
});

function within(spaces: readonly Space[]): Isolation {
  const before = separated(spaces);
  return { above: spaces.includes("pid") ? 2 : 0, wrap: (command) => [...before, ...command] };
}

const nothing = ["/bin/sh", "-c", ":"];

/** Commands that succeed where a layer works. */
const trials: Readonly<Record<Exclude<Layer, "root">, () => readonly string[]>> = {
  death: () => [...tied(tieFlags.death), ...nothing],
  privileges: () => [...tied(tieFlags.privileges), ...nothing],
  capabilities: () => [...withoutCapabilities(), ...nothing],
  user: () => [...separated(["user"]), ...nothing],
  pid: () => {
    refuseUnlisted();
    return [...separated(["user", "pid"]), ...nothing];
  },
  net: () => [...separated(["user", "net"]), ...nothing],
  ipc: () => [...separated(["user", "ipc"]), ...nothing],
  mount: () => [...separated(["user", "pid", "mount"]), ...nothing],
};

/** Without a private root, and why: what else there is. */
async function survey(why: string): Promise<Found> {
  const layersTried = Object.keys(trials) as (keyof typeof trials)[];
  const failures = await Promise.all(layersTried.map((layer) => failureOf(trials[layer])));
  const missing = new Map<Layer, string>();
  for (const [index, layer] of layersTried.entries()) {
    const failure = failures[index];
    if (failure !== undefined) missing.set(layer, failure);
  }
  missing.set("root", why);

  const held = hasCapabilities();
  const drops = held && !missing.has("capabilities");
  if (!held || !missing.has("user")) missing.delete("capabilities");
  const ties = (["death", "privileges"] as const).filter((tie) => !missing.has(tie));
  const before = tied(ties.flatMap((tie) => tieFlags[tie]));
  const spaces = everySpace.filter((space) => !missing.has(space));
  return {
    ways: [
      ...(spaces.includes("user") ? [within(spaces)] : []),
      ...(drops ? [unforked([...before, ...withoutCapabilities()])] : []),
      unforked(before),
    ],
    missing,
  };
}

/** The memory of a child that another process started is found through this list. */
function refuseUnlisted(): void {
  if (!existsSync(`/proc/${process.pid}/task/${process.pid}/children`)) {
    throw new Error("/proc does not list the children of a process");
  }
}

function hasCapabilities(): boolean {
  try {
    return !/^CapPrm:\s*0+$/m.test(readFileSync("/proc/self/status", "latin1"));
  } catch {
    return true;
  }
}

async function failureOf(trial: () => readonly string[]): Promise<string | undefined> {
  try {
    const [file = "", ...args] = trial();
    await promisify(execFile)(file, args, { cwd: "/", env: { LC_ALL: "C" }, timeout: bounds.probeMs });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The last line: what the program itself said comes after what was run. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "";
}
