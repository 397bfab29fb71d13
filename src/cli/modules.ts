import { pathToFileURL } from "node:url";
import { Fault } from "../errors.ts";
import { bounds } from "../limits.ts";
import type { Policy } from "../registry/policy.ts";
import type { AnyTool } from "../registry/tool.ts";
import type { ModulePath } from "./config.ts";
import { explainLoading } from "./load-failure.ts";
import { within } from "../within.ts";

/** The tools that a module exports: each export that is a tool or an array of tools, the default one included. */
export async function loadTools(path: ModulePath, signal: AbortSignal): Promise<readonly AnyTool[]> {
  const tools = await load(path, "tools", signal, (module) => new Set(Object.values(module).flat().filter(isTool)));
  if (tools.size > 0) return [...tools];
  throw new Fault(
    "invalid_config",
    `tools: ${path.given} exports no tool; export what \`defineTool\` returns, or an array of it`,
  );
}

/** The policy that a module exports by default or as `policy`. */
export async function loadPolicy(path: ModulePath, signal: AbortSignal): Promise<Policy> {
  const policy = await load(path, "policy", signal, (module) => module.default ?? module.policy);
  if (typeof policy === "function") return policy as Policy;
  throw new Fault("invalid_config", `policy: ${path.given} exports no function, neither by default nor as "policy"`);
}

type Exports = Readonly<Record<string, unknown>>;

async function load<T>(path: ModulePath, key: string, signal: AbortSignal, read: (module: Exports) => T): Promise<T> {
  const seconds = bounds.importMs / 1_000;
  const late = new Fault("invalid_config", `${key}: ${path.given} did not finish loading in ${seconds} s`, {
    hint: "a module must not wait on top for what may never come: start that when a tool is called",
  });
  try {
    const importing = import(pathToFileURL(path.file).href) as Promise<Exports>;
    return read(await within(importing, { signal, time: { ms: bounds.importMs, late: () => late } }));
  } catch (error) {
    signal.throwIfAborted();
    if (error === late) throw late;
    const { reason, hint } = await explainLoading(path, error);
    throw new Fault("invalid_config", `${key}: ${path.given} cannot be loaded: ${reason}`, { hint, cause: error });
  }
}

function isTool(value: unknown): value is AnyTool {
  return typeof value === "object" && value !== null && "name" in value && "execute" in value;
}
