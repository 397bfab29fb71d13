// What is written before a command to put a layer around it. Each throws where this machine lacks the program for it.
import { executable } from "./executables.ts";
import type { PrivateRoot, RootPlan } from "./private-root.ts";

type Words = readonly string[];

export const tieFlags = { death: ["--pdeathsig", "KILL"], privileges: ["--no-new-privs"] } as const;
const dropFlags = ["--bounding-set=-all", "--inh-caps=-all"];
const spaceFlags = {
  user: ["--map-root-user"],
  pid: ["--pid", "--fork", "--kill-child"],
  net: ["--net"],
  ipc: ["--ipc", "--uts"],
  mount: ["--mount"],
} as const;
export type Space = keyof typeof spaceFlags;
export const everySpace = Object.keys(spaceFlags) as readonly Space[];

/** Ends with its parent, and gains nothing from a program that it starts. */
export function tied(flags: Words = Object.values(tieFlags).flat()): Words {
  return flags.length === 0 ? [] : [executable("setpriv"), ...flags, "--"];
}

export function withoutCapabilities(flags: Words = []): Words {
  return [executable("setpriv"), ...dropFlags, ...flags, "--"];
}

export function apart(spaces: readonly Space[]): Words {
  return [executable("unshare"), ...spaces.flatMap((space) => spaceFlags[space]), "--"];
}

/** The first process of a pid namespace cannot be ended by a signal of its own, as an engine that aborts is: a shell is first. */
const initial = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

const scriptFirst = (script: string): Words => ["/bin/sh", "-c", `${script} && exec "$@"`, "sh"];

/** A view of its own processes alone, and no way to set what the kernel shows there too. */
const processesAt = (folder: string): Words =>
  scriptFirst(`'${executable("mount")}' -t proc -o ro,nosuid,nodev,noexec proc ${folder}`);

/** Namespaces of its own, without capabilities. */
export function separated(spaces: readonly Space[]): Words {
  const hasPid = spaces.includes("pid");
  const view = hasPid && spaces.includes("mount") ? processesAt("/proc") : [];
  const first = hasPid ? initial : [];
  return [...tied(), ...apart(spaces), ...view, ...withoutCapabilities(tieFlags.death), ...first];
}

/** What `rooted` runs inside the root. */
export const rootedExecutables = (): Words => [executable("setpriv"), "/bin/sh"];

/** The same below a private root: entered where it is fresh, else made anew. There is no view of processes unless it is asked for. */
export function rooted(plan: RootPlan, root: PrivateRoot): (command: Words, seesProcesses: boolean) => Words {
  const { pid, net, ipc, mount } = spaceFlags;
  const [nsenter, unshare] = [executable("nsenter"), executable("unshare")];
  const enter = [nsenter, "--preserve-credentials", `--user=${root.user}`, `--mount=${root.mount}`, "--"];
  const entering = [...tied(), ...enter, unshare, ...pid, ...net, ...ipc];
  const making = [...tied(), ...apart(everySpace), ...scriptFirst(plan.script)];
  const viewing = processesAt(`${plan.at}/proc`);
  const below = [`--root=${plan.at}`, "--", ...withoutCapabilities(tieFlags.death), ...initial];
  return (command, seesProcesses) => {
    const view = seesProcesses ? viewing : [];
    const outside = root.isFresh()
      ? [...entering, ...(seesProcesses ? [...mount, "--", ...view, unshare] : [])]
      : [...making, ...view, unshare];
    return [...outside, ...below, ...command.map(plan.inside)];
  };
}
