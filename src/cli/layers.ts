import { readdirSync, readFileSync } from "node:fs";
import { parentDeathWrapper } from "../runtime/spawn.ts";

export interface Layer {
  readonly name: string;
  readonly inForce: boolean;
  readonly detail: string;
}

/** What cuts a living sandbox process off from this one, read from the system itself; empty where it does not tell. */
export function readLayers(): readonly Layer[] {
  const pid = ownChildren().find((child) => /sandbox[^\0/]*\.js\0/.test(read(`${child}/cmdline`)));
  if (pid === undefined) return [];
  const status = read(`${pid}/status`);
  const limits = read(`${pid}/limits`);
  const variables = read(`${pid}/environ`)
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(0, entry.indexOf("=")));
  const limit = (title: string): string => new RegExp(`^${title}\\s+(\\S+)`, "m").exec(limits)?.[1] ?? "unknown";
  const bounded = (name: string, title: string, letter: string): Layer => {
    const value = limit(title);
    return { name, inForce: /^\d+$/.test(value), detail: `ulimit -${letter} ${value}` };
  };
  return [
    { name: "a process of its own", inForce: true, detail: `process ${pid}` },
    {
      name: "no environment of the host's",
      inForce: variables.every((name) => harmless.has(name)),
      detail: variables.join(", "),
    },
    {
      name: "no new privileges",
      inForce: /^NoNewPrivs:\s*1$/m.test(status),
      detail: "setpriv --no-new-privs",
    },
    {
      name: "dies with its host",
      inForce: parentDeathWrapper !== undefined,
      detail: "setpriv --pdeathsig KILL",
    },
    bounded("bounded data segment", "Max data size", "d"),
    bounded("bounded processor time", "Max cpu time", "t"),
    bounded("no core files", "Max core file size", "c"),
  ];
}

const harmless = new Set(["TZ", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"]);

function ownChildren(): readonly string[] {
  try {
    const tasks = readdirSync("/proc/self/task");
    return tasks.flatMap((task) =>
      read(`self/task/${task}/children`)
        .split(" ")
        .filter((pid) => pid !== ""),
    );
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}
