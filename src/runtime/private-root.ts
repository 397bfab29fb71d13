// A file system that holds what a child needs to run and nothing else, all of it read-only. It is made once, in namespaces
// that live on in two descriptors of this process, and entered by each child; where it has grown stale, a child makes its own.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { bounds } from "../limits.ts";
import { executable } from "./executables.ts";

interface RootFiles {
  readonly nodePath: string;
  /** What Node runs; the folder of each comes along, and the packages that it can import. */
  readonly scripts: readonly string[];
  /** What else is run in it, by these paths. */
  readonly executables: readonly string[];
}

export interface RootPlan {
  /** The folder that becomes the root; its `proc` is empty. */
  readonly at: string;
  /** The shell commands that fill it, in a mount namespace of their own. */
  readonly script: string;
  /** Paths of what it holds. */
  readonly contents: readonly string[];
  /** A path as the root has it. */
  readonly inside: (path: string) => string;
}

export interface PrivateRoot {
  /** Paths of the namespaces that a child has to enter. */
  readonly user: string;
  readonly mount: string;
  /** Whether it still shows the files that are there now, and this process may still enter it. */
  isFresh(): boolean;
}

/** Every Linux has this folder, and nothing in it is of use to a child. */
const at = "/sys";

/** Where libraries are that Node and its addons load; a distribution has some of them. */
const libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/nodejs", "/nix/store", "/gnu/store"];

/** Throws where a file or a program is missing. */
export function planRoot(files: RootFiles): RootPlan {
  const real = new Map([files.nodePath, ...files.scripts].map((path) => [path, realPathOf(path)]));
  const inside = (path: string): string => real.get(path) ?? path;
  const contents = outermost([
    ...libraries.filter((path) => existsSync(path)),
    inside(files.nodePath),
    ...files.executables,
    ...files.scripts.map(inside).flatMap(codeOf),
  ]);
  return { at, contents, inside, script: fill(contents) };
}

/** A name without a folder is one of the `PATH`. */
const realPathOf = (path: string): string => realpathSync(path.includes("/") ? path : executable(path));

/** The folder of a script, what says how to read it, and the folders that it imports from. */
function codeOf(script: string): string[] {
  const found = [dirname(script)];
  if (found[0] === "/") throw new Error(`${script} lies in the root folder, which would bring everything along`);
  let described = false;
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const description = join(folder, "package.json");
    if (!described && existsSync(description)) {
      described = true;
      found.push(description);
    }
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) found.push(packages);
    if (folder === dirname(folder)) return found;
  }
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const tabled = (path: string): string =>
  path.replace(/[ \t\n\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);

function fill(contents: readonly string[]): string {
  const mount = quoted(executable("mount"));
  const isFile = (path: string): boolean => statSync(path).isFile();
  const folders = contents.map((path) => quoted(at + (isFile(path) ? dirname(path) : path)));
  const files = contents.filter(isFile).map((path) => `: >${quoted(at + path)}`);
  const table = contents.map((path) => `${tabled(path)} ${tabled(at + path)} none rbind,ro,nosuid,nodev`).join("\n");
  const list = `${at}/fstab`;
  return [
    `${mount} -t tmpfs -o size=1m,mode=755,nosuid,nodev tmpfs ${at}`,
    `${quoted(executable("mkdir"))} -p ${at}/proc ${folders.join(" ")}`,
    ...files,
    `printf '%s\\n' ${quoted(table)} >${list}`,
    `${mount} -a -T ${list}`,
    `: >${list}`,
    `${mount} -o remount,bind,ro,nosuid,nodev ${at}`,
  ].join(" && ");
}

/** `command` starts a shell in new namespaces. Rejects with what the system said against it. */
export async function openPrivateRoot(plan: RootPlan, command: readonly string[]): Promise<PrivateRoot> {
  const marks = plan.contents.map(markOf);
  const owner = process.geteuid?.();
  const [file, ...args] = [...command, "-c", `${plan.script} && echo made && read -r _`];
  // In a group of its own, so that what it has just forked is ended with it.
  const maker = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], env: { LC_ALL: "C" }, cwd: "/", detached: true });
  const ended = new Promise((resolve) => maker.once("exit", resolve).once("error", resolve));
  try {
    await made(maker);
    refuseWritable(maker.pid);
    const user = openSync(`/proc/${maker.pid}/ns/user`, "r");
    const mount = openMount(maker.pid, user);
    return {
      user: `/proc/${process.pid}/fd/${user}`,
      mount: `/proc/${process.pid}/fd/${mount}`,
      isFresh: () => process.geteuid?.() === owner && isUnchanged(plan.contents, marks),
    };
  } finally {
    endGroup(maker);
    await ended;
  }
}

function endGroup({ pid, stdio }: ChildProcess): void {
  for (const stream of stdio) stream?.destroy();
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended
  }
}

function openMount(pid: number | undefined, user: number): number {
  try {
    return openSync(`/proc/${pid}/ns/mnt`, "r");
  } catch (error) {
    closeSync(user);
    throw error;
  }
}

function made(maker: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error("it was not ready in time")), bounds.probeMs);
    maker.stdin?.on("error", () => undefined);
    maker.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString().slice(0, 2_000)));
    maker.stdout?.once("data", () => {
      clearTimeout(timer);
      resolve();
    });
    maker.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    maker.once("close", (code) => {
      clearTimeout(timer);
      reject(new Error(said.trim().split("\n").at(-1) || `it ended with exit code ${code}`));
    });
  });
}

/** Some versions of `mount` and some systems leave a mount writable that was asked for as read-only. */
function refuseWritable(pid: number | undefined): void {
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n");
  const within = new Set([mounts.findLast((line) => line.split(" ")[4] === at)?.split(" ")[0]]);
  for (const line of mounts) {
    const [id, parent, , , place = "", options = ""] = line.split(" ");
    if (within.has(parent)) within.add(id);
    if (within.has(id) && !options.split(",").includes("ro")) {
      throw new Error(`${place.slice(at.length) || "/"} stays writable in it`);
    }
  }
}

function isUnchanged(paths: readonly string[], marks: readonly string[]): boolean {
  try {
    return paths.every((path, index) => markOf(path) === marks[index]);
  } catch {
    return false;
  }
}

/** What tells whether another file or folder has taken its place. */
function markOf(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev} ${ino}`;
}
