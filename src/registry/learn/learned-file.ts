// The file that shapes are kept in. It is only ever replaced whole, and what is no such file is put aside first. Processes that share one lose nothing for good: each merges what the file holds into what it knows, and knows it on.
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject } from "../../is-object.ts";
import { bounds } from "../../limits.ts";
import { readShape, type Shape } from "./shape.ts";

/** What is known of the results of one tool, which its source and its name there tell from all others. */
export interface Learned {
  readonly source: string;
  readonly tool: string;
  readonly result: Shape;
}

/** Why a file holds nothing to begin with; absent where it does not exist, or is one of ours. */
export interface ReadLearned {
  readonly learned: readonly Learned[];
  readonly fault?: string;
}

const format = "codecall learned output types";
const version = 1;

export function readLearnedNow(file: string): ReadLearned {
  try {
    if (statSync(file).size > bounds.learnedFileBytes) return tooLarge;
    return parseLearned(readFileSync(file, "utf8"));
  } catch (error) {
    return unread(error);
  }
}

export async function readLearned(file: string): Promise<ReadLearned> {
  try {
    return parseLearned(await readFile(file, "utf8"));
  } catch (error) {
    return unread(error);
  }
}

/** Puts the file in its place whole, or rejects and changes nothing. */
export async function writeLearned(file: string, learned: readonly Learned[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify({ format, version, tools: learned }, undefined, 1)}\n`, { flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Where a file goes that is none of ours. */
export const asideOf = (file: string): string => `${file}.unreadable`;

export async function putAside(file: string): Promise<void> {
  if (!(await stat(file)).isFile()) throw new Error("it is no file");
  await rename(file, asideOf(file));
}

const tooLarge: ReadLearned = { learned: [], fault: `is over ${bounds.learnedFileBytes} bytes` };

function unread(error: unknown): ReadLearned {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return { learned: [] };
  return { learned: [], fault: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
}

function parseLearned(text: string): ReadLearned {
  if (text.length > bounds.learnedFileBytes) return tooLarge;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { learned: [], fault: "is not JSON" };
  }
  if (!isObject(parsed) || parsed.format !== format || !Array.isArray(parsed.tools)) {
    return { learned: [], fault: "holds no learned output types" };
  }
  if (parsed.version !== version) {
    return {
      learned: [],
      fault: `is of version ${JSON.stringify(parsed.version)}, and ${version} is what can be read`,
    };
  }
  const learned = (parsed.tools as readonly unknown[]).map(readEntry);
  const whole = learned.filter((one) => one !== undefined);
  return whole.length === learned.length ? { learned: whole } : { learned: [], fault: "holds a shape that is none" };
}

function readEntry(given: unknown): Learned | undefined {
  if (!isObject(given)) return undefined;
  const { source, tool } = given;
  const result = readShape(given.result);
  return typeof source === "string" && typeof tool === "string" && result !== undefined
    ? { source, tool, result }
    : undefined;
}
