import { createRequire } from "node:module";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import { createTypeChecker } from "../runtime/check/type-checker.ts";
import { createCompiler } from "../runtime/compiler.ts";
import { defaultNode, processFile, typecheckFile } from "../runtime/files.ts";
import { type Isolation, isolationsFor } from "../runtime/isolation.ts";

/** What starts beside the sandbox processes, and what there is against every layer of isolation. */
export interface Helpers {
  /** Version of what it runs and the time it took to be ready; rejects with why it is not. */
  compiler(): Promise<string>;
  typeChecker(): Promise<string>;
  /** `undefined` where `isolation: "required"` is to be had. */
  readonly refusal: Fault | undefined;
}

/** Rejects with `invalid_options` where a file of this package is missing. */
export async function findHelpers(): Promise<Helpers> {
  const nodePath = defaultNode();
  const compilerPath = processFile("compiler-process", "compilerPath");
  const typecheckPath = typecheckFile();
  const scripts = [processFile("sandbox-process", "childPath"), compilerPath];
  const files = { nodePath, scripts: [...scripts, ...(typecheckPath === undefined ? [] : [typecheckPath])] };
  const [isolation] = await isolationsFor("best", files);
  return {
    refusal: await refusalOf(files),
    compiler: () => compilerState(nodePath, compilerPath, isolation),
    typeChecker: () => checkerState(nodePath, typecheckPath, isolation),
  };
}

async function refusalOf(files: Parameters<typeof isolationsFor>[1]): Promise<Fault | undefined> {
  try {
    await isolationsFor("required", files);
    return undefined;
  } catch (error) {
    if (error instanceof Fault && error.code === "sandbox_unavailable") return error;
    throw error;
  }
}

async function compilerState(
  nodePath: string,
  compilerPath: string,
  isolation: Isolation | undefined,
): Promise<string> {
  const began = performance.now();
  const compiler = createCompiler({ nodePath, compilerPath, timeoutMs: bounds.compileMs, isolation });
  try {
    await compiler.ready;
    return `esbuild ${versionOf("esbuild") ?? "of an unknown version"}, ready in ${since(began)}`;
  } finally {
    await compiler.close();
  }
}

async function checkerState(
  nodePath: string,
  typecheckPath: string | undefined,
  isolation: Isolation | undefined,
): Promise<string> {
  const version = versionOf("typescript7");
  if (version === undefined) throw new Error("TypeScript 7 is not installed");
  const began = performance.now();
  const checker = createTypeChecker({ nodePath, typecheckPath, timeoutMs: bounds.typecheckMs, isolation });
  try {
    checker.start();
    const why = await checker.failure();
    if (why !== undefined) throw new Error(why);
    return `TypeScript ${version}, ready in ${since(began)}`;
  } finally {
    await checker.close();
  }
}

const since = (began: number): string => `${Math.round(performance.now() - began)} ms`;

function versionOf(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const { version } = require(`${name}/package.json`) as { readonly version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
