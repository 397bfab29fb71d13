// Where the arguments of a call lead, and whether they may.
import { type Call, type Ruling } from "../bridge/call.ts";
import { type Failed, refuse } from "../bridge/outcome.ts";
import type { CallPaths } from "../registry/policy.ts";
import type { OfferedTool } from "../registry/surface.ts";
import { findPaths, type FoundPath, NoPath, replacePaths } from "./argument-paths.ts";
import { realPath, UnusablePath } from "./real-path.ts";
import { readRoots, type Roots } from "./roots.ts";

/** Paths of one call as they were looked up. */
export interface Located {
  readonly roots: Roots;
  readonly paths: readonly LocatedPath[];
}

export interface LocatedPath {
  /** As it was written: what a model is told of. */
  readonly text: string;
  readonly real: string;
  readonly kind: "read" | "write";
}

const readKinds = ["read", "write"] as const;

/** Arguments of which the paths are to be looked up. */
export interface Sought {
  readonly tool: OfferedTool;
  readonly args: unknown;
  /** Once it is aborted no more of them are. */
  readonly signal: AbortSignal;
}

/** The paths, and the arguments with the real ones in their place. */
interface Found extends Located {
  readonly args: unknown;
}

/** Looks up what the call's tool declares as paths, seen from `base`; the call goes on with the real ones. */
export async function locatePaths(
  call: Call,
  base: string,
  folders: readonly string[],
): Promise<Located | Failed | undefined> {
  if (call.offered === undefined) return undefined;
  const sought = { tool: call.offered, args: call.args, signal: call.controller().signal };
  const located = await locateArguments(sought, base, folders);
  if (located === undefined || "status" in located) return located;
  call.args = located.args;
  call.paths = pathsOf(located.paths);
  return located;
}

/** `undefined` where the arguments name no path. */
export async function locateArguments(
  { tool, args, signal }: Sought,
  base: string,
  folders: readonly string[],
): Promise<Found | Failed | undefined> {
  const { name } = tool;
  const declared = tool.tool.definition.paths ?? {};
  const found: { readonly kind: "read" | "write"; readonly path: FoundPath }[] = [];
  try {
    for (const kind of readKinds)
      for (const one of declared[kind] ?? []) for (const path of findPaths(args, one)) found.push({ kind, path });
  } catch (error) {
    if (error instanceof NoPath) return refuse("path_unusable", `${name}: ${error.message}`);
    throw error;
  }
  if (found.length === 0) return undefined;
  const texts = new Map<FoundPath, string>();
  const paths: LocatedPath[] = [];
  const known = new Map<string, Awaited<ReturnType<typeof lookUp>>>();
  for (const { kind, path } of found) {
    if (signal.aborted) return refuse("path_unusable", `${name}: the call was stopped before its paths were looked up`);
    const real = known.get(path.text) ?? (await lookUp(path.text, base));
    known.set(path.text, real);
    if (typeof real !== "string")
      return refuse("path_unusable", `${name}: the path ${quote(path.text)} cannot be used: ${real.why}`);
    if (real !== path.text) texts.set(path, real);
    paths.push({ text: path.text, real, kind });
  }
  return { roots: await readRoots(folders), paths, args: texts.size > 0 ? replacePaths(args, texts) : args };
}

export async function lookUp(text: string, base: string): Promise<string | { readonly why: string }> {
  try {
    return await realPath(text, base);
  } catch (error) {
    if (error instanceof UnusablePath) return { why: error.message };
    throw error;
  }
}

function pathsOf(paths: readonly LocatedPath[]): CallPaths {
  const of = (kind: LocatedPath["kind"]): readonly string[] =>
    Object.freeze(paths.filter((path) => path.kind === kind).map(({ real }) => real));
  return Object.freeze({ read: of("read"), write: of("write") });
}

/** Why the paths do not lead where they did when they were looked up. */
export async function whyMoved({ paths }: Located, base: string): Promise<Ruling | undefined> {
  const places = new Map(paths.map((path) => [path.real, path]));
  for (const { text, real } of places.values()) {
    if ((await lookUp(real, base)) !== real) {
      const sentence = `the path ${quote(text)} leads elsewhere now than when the call was checked`;
      return { code: "path_changed", sentence, hint: "make the call again" };
    }
  }
  return undefined;
}

/** What going there would need, outside the allowed folders. */
export const outside = (located: Located): readonly (LocatedPath & { readonly capability: string })[] =>
  located.paths
    .filter(({ real }) => !located.roots.holds(real))
    .map((path) => ({ ...path, capability: path.kind === "read" ? "read_outside_fence" : "mutate_outside_fence" }));

export const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
