import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { layers } from "../runtime/isolation.ts";

export interface Layer {
  readonly name: string;
  readonly inForce: boolean;
  readonly detail: string;
}

/**
 * What cuts a living sandbox process off from this one, read from the system itself where it tells; `missing` has the
 * reasons for what was not to be had. Empty on systems without `/proc`.
 */
export function readLayers(missing: Readonly<Record<string, string>>): readonly Layer[] {
  const pid = sandboxBelow("self");
  if (pid === undefined) return [];
  const status = read(`${pid}/status`) ?? "";
  const layer = (name: string, inForce: boolean, detail: string): Layer =>
    inForce ? { name, inForce, detail } : { name, inForce, detail: missing[name] ?? detail };
  const apart = (name: string, ...kinds: readonly string[]): Layer =>
    layer(
      name,
      kinds.every((kind) => differ((of) => namespace(of, kind), pid)),
      kinds.map((kind) => namespace(pid, kind) ?? unreadable).join(" "),
    );
  return [
    layer("process of its own", true, `process ${pid}`),
    emptyEnvironment(pid),
    layer(layers.death, missing[layers.death] === undefined, "by the kernel"),
    layer(layers.privileges, /^NoNewPrivs:\s*1$/m.test(status), "no_new_privs"),
    layer(layers.capabilities, /^CapPrm:\s*0+$/m.test(status), "none permitted"),
    apart(layers.user, "user"),
    apart(layers.pid, "pid"),
    apart(layers.net, "net"),
    apart(layers.ipc, "ipc", "uts"),
    apart(layers.mount, "mnt"),
    layer(layers.root, differ(rootOf, pid), "read-only, holds what Node needs"),
    ...bounded(pid),
  ];
}

/** The process in which Node runs may be below others that were started for it. */
function sandboxBelow(pid: string): string | undefined {
  const sandbox = childrenOf(pid).find((child) => /sandbox[^\0/]*\.js\0/.test(read(`${child}/cmdline`) ?? ""));
  return sandbox === undefined ? undefined : (sandboxBelow(sandbox) ?? sandbox);
}

const unreadable = "cannot be read";
const harmless = new Set(["TZ", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"]);

function emptyEnvironment(pid: string): Layer {
  const environ = read(`${pid}/environ`);
  const entries = (environ ?? "").split("\0");
  const names = entries.filter((entry) => entry !== "").map((entry) => entry.slice(0, entry.indexOf("=")));
  const inForce = environ !== undefined && names.every((name) => harmless.has(name));
  return { name: "empty environment", inForce, detail: environ === undefined ? unreadable : names.join(", ") };
}

function bounded(pid: string): readonly Layer[] {
  const limits = read(`${pid}/limits`) ?? "";
  const kinds = [
    ["bounded data segment", "Max data size", "d"],
    ["bounded processor time", "Max cpu time", "t"],
    ["no core files", "Max core file size", "c"],
  ] as const;
  return kinds.map(([name, title, letter]) => {
    const value = new RegExp(`^${title}\\s+(\\S+)`, "m").exec(limits)?.[1] ?? "unknown";
    return { name, inForce: /^\d+$/.test(value), detail: `ulimit -${letter} ${value}` };
  });
}

/** Whether both can be read and are not the same: what cannot be told is not in force. */
function differ(tell: (pid: string) => string | undefined, pid: string): boolean {
  const [of, ours] = [tell(pid), tell("self")];
  return of !== undefined && ours !== undefined && of !== ours;
}

function namespace(pid: string, kind: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}

function rootOf(pid: string): string | undefined {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/root/`);
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

function childrenOf(pid: string): readonly string[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks
      .flatMap((task) => (read(`${pid}/task/${task}/children`) ?? "").split(" "))
      .filter((child) => child !== "");
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return undefined;
  }
}
