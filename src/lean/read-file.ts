// Reads files below allowed folders alone. A path is first judged as it is written, so that nothing can be asked about what
// lies elsewhere, then as it really is, links followed, and once more when it is open: a folder on the way may have become a link.
import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { ToolError } from "../errors.ts";
import { bounds } from "../limits.ts";
import type { SkillFolder } from "../registry/skills.ts";

export interface ReadRoots {
  /** What is read below the name of one of these lies in its folder. */
  readonly folders: readonly SkillFolder[];
  /** All other relative paths begin at the first. */
  readonly roots: readonly string[];
}

export interface FilePart {
  readonly path: string;
  readonly text: string;
  /** Of the whole file. */
  readonly bytes: number;
  /** Where to read on; absent at the end. */
  readonly next?: number;
}

/** A part of a text file; rejects with a `ToolError`: `read_outside_fence`, `not_found`, `not_a_file` or `not_text`. */
export async function readPart(path: string, offset: number, allowed: ReadRoots): Promise<FilePart> {
  const written = placeOf(path, allowed);
  const roots = [...allowed.folders.map(({ root }) => root), ...allowed.roots.map((root) => resolve(root))];
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  const fences = [...roots, ...real.filter((root) => root !== undefined)];
  if (!fences.some((root) => isInside(root, written))) throw outside(path);
  const place = await realpath(written).catch(() => undefined);
  if (place === undefined) throw new ToolError(`there is no file ${JSON.stringify(path)}`, { code: "not_found" });
  const isAllowed = (found: string): boolean => real.some((root) => root !== undefined && isInside(root, found));
  if (!isAllowed(place)) throw outside(path);
  const file = await open(place, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0)).catch(() => {
    throw new ToolError(`${JSON.stringify(path)} cannot be opened`, { code: "not_a_file" });
  });
  try {
    if (!isAllowed(await placeOfOpened(file, place))) throw outside(path);
    return await readOpened(file, path, offset);
  } finally {
    await file.close();
  }
}

function placeOf(path: string, { folders, roots }: ReadRoots): string {
  const [first = "", ...rest] = path.split("/");
  const folder = isAbsolute(path) ? undefined : folders.find(({ name }) => name === first);
  // A path that climbs out of its folder is judged where it ends.
  return folder === undefined ? resolve(roots[0] ?? "/", path) : join(folder.root, ...rest);
}

/** Where an open file lies; the file system's root where that is no longer where it was opened. */
async function placeOfOpened(file: FileHandle, place: string): Promise<string> {
  const told = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (told !== undefined) return told;
  const [own, there, now] = await Promise.all([
    file.stat(),
    stat(place).catch(() => undefined),
    realpath(place).catch(() => ""),
  ]);
  return own.ino === there?.ino && own.dev === there.dev && now === place ? place : parse(place).root;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const outside = (path: string): ToolError =>
  new ToolError(`read_outside_fence: ${JSON.stringify(path)} is not below a folder that may be read`, {
    code: "read_outside_fence",
    hint: "read the paths that a search gives, or files below the working folder",
  });

async function readOpened(file: FileHandle, path: string, offset: number): Promise<FilePart> {
  const found = await file.stat();
  if (!found.isFile()) throw new ToolError(`${JSON.stringify(path)} is no file`, { code: "not_a_file" });
  if (offset >= found.size) return { path, text: "", bytes: found.size };
  const buffer = Buffer.alloc(Math.min(bounds.readBytes, found.size - offset));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  // A file may hold less than it says, as those of a kernel do.
  const isEnd = bytesRead < buffer.length || offset + bytesRead >= found.size;
  const part = buffer.subarray(0, isEnd ? bytesRead : wholeCharacters(buffer, bytesRead));
  if (part.includes(0)) throw new ToolError(`${JSON.stringify(path)} is no text file`, { code: "not_text" });
  const next = isEnd ? {} : { next: offset + part.length };
  return { path, text: part.toString("utf8"), bytes: found.size, ...next };
}

/** How many of the bytes hold whole UTF-8 characters. */
function wholeCharacters(buffer: Buffer, length: number): number {
  let start = length - 1;
  while (start > length - 4 && start > 0 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = buffer[start] ?? 0;
  const width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + width <= length ? length : start;
}
