// One meaning for every way to write a path: absolute, without links, without `..`. What does not exist yet is placed under
// its deepest folder that does; a link that leads nowhere counts as what it leads to, since writing would create that.
import { lstat, readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const linksAtMost = 40;

/** A path that cannot be given one meaning; the message says why and may be shown to a model. */
export class UnusablePath extends Error {}

/** The real path of what the text names, seen from the folder `base`; rejects with `UnusablePath`. */
export async function realPath(text: string, base: string): Promise<string> {
  return follow(absolutePath(text, base), linksAtMost);
}

/** What the text names before links are followed. */
function absolutePath(text: string, base: string): string {
  const plain = /^file:/i.test(text) ? fromUrl(text) : text;
  if (plain.includes("\0")) throw new UnusablePath("it holds a NUL character");
  if (plain === "~" || plain.startsWith("~/") || plain.startsWith(`~${sep}`)) return join(homedir(), plain.slice(1));
  return resolve(base, plain);
}

function fromUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch {
    throw new UnusablePath("it is no file: address of this machine");
  }
}

async function follow(path: string, linksLeft: number): Promise<string> {
  if (linksLeft === 0) throw new UnusablePath("it leads through too many links");
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw new UnusablePath("it cannot be looked up");
  }
  const target = await linkTarget(path);
  if (target !== undefined) return follow(resolve(dirname(path), target), linksLeft - 1);
  const parent = dirname(path);
  return parent === path ? path : join(await follow(parent, linksLeft), basename(path));
}

/** `ENOTDIR`: a file stands where a folder would have to be, so what is named cannot exist. */
const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new UnusablePath("it cannot be looked up");
  }
}

/** Whether a real path is the folder or below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
