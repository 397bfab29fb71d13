// Skills and references are Markdown files below a folder, listed once, when the folder is registered. What a model is told
// of their place is a path that begins with the folder's name: where the folder lies is the host's business.
import { closeSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault, messageOf } from "../errors.ts";
import { bounds } from "../limits.ts";
import { checkOptions, checkText, describe } from "../options.ts";
import { readFrontMatter } from "./front-matter.ts";

export type SkillKind = "skill" | "reference";

export interface SkillOptions {
  readonly folder: string;
  /** What its paths begin with; the last part of the folder unless given. */
  readonly name?: string;
  /** Of all its files; unless given they are skills, and references below a folder `references`. */
  readonly kind?: SkillKind;
}

export interface Skill {
  /** How it is found and read: the folder's name, then the path below it. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly kind: SkillKind;
}

export interface SkillFolder {
  readonly name: string;
  /** Without symbolic links. */
  readonly root: string;
  readonly skills: readonly Skill[];
}

/** Lists a folder; throws `invalid_options` where it cannot be read. */
export function readSkillFolder(given: SkillOptions): SkillFolder {
  checkOptions("scope.skill", given ?? null, { folder: "text", name: "text", kind: "text" });
  const { folder, kind } = given;
  checkText("the folder of skills", folder);
  if (kind !== undefined && kind !== "skill" && kind !== "reference") {
    throw new Fault("invalid_options", `kind of scope.skill must be "skill" or "reference", got ${describe(kind)}`);
  }
  const name = given.name ?? basename(folder);
  if (!/^[\w.-]+$/.test(name) || name.startsWith(".")) {
    const message = `the name of a folder of skills is of letters, digits, _, . and -, got ${describe(name)}`;
    throw new Fault("invalid_options", message, { hint: "give one as the option name" });
  }
  try {
    const root = realpathSync(folder);
    const paths = listMarkdown(root);
    return Object.freeze({
      name,
      root,
      skills: Object.freeze(paths.map((path) => describeFile(root, name, path, kind))),
    });
  } catch (cause) {
    throw new Fault("invalid_options", `the folder of skills ${describe(folder)} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Paths below the folder, in order, with `/` between parts; links are not followed. */
function listMarkdown(root: string): readonly string[] {
  const found: string[] = [];
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.name.startsWith(".") || /\p{Cc}/u.test(entry.name)) continue;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && /\.md$/i.test(entry.name)) found.push(path);
    }
    if (found.length > bounds.skillFiles) throw new Error(`it holds more than ${bounds.skillFiles} Markdown files`);
  }
  return found.toSorted((a, b) => (a < b ? -1 : 1));
}

function describeFile(root: string, name: string, path: string, kind: SkillKind | undefined): Skill {
  const { title, description } = readFrontMatter(readHead(join(root, path)));
  const parts = path.split("/");
  const file = (parts.at(-1) ?? "").replace(/\.md$/i, "");
  const fallback = file.toLowerCase() === "skill" ? (parts.at(-2) ?? name) : file;
  return Object.freeze({
    path: `${name}/${path}`,
    title: title ?? fallback,
    description: description ?? title ?? fallback,
    kind: kind ?? (parts.slice(0, -1).includes("references") ? "reference" : "skill"),
  });
}

function readHead(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(bounds.skillHeadBytes);
    return head.toString("utf8", 0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}
