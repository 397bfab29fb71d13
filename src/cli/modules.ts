import { pathToFileURL } from "node:url";
import { Fault } from "../errors.ts";
import type { Policy } from "../registry/policy.ts";
import type { AnyTool } from "../registry/tool.ts";
import type { ModulePath } from "./config.ts";
import { explainLoading } from "./load-failure.ts";

/** The tools that a module exports: each export that is a tool or an array of tools, the default one included. */
export async function loadTools(path: ModulePath): Promise<readonly AnyTool[]> {
  const exported = Object.values(await load(path, "tools"));
  const tools = new Set(exported.flat().filter(isTool));
  if (tools.size > 0) return [...tools];
  throw new Fault(
    "invalid_config",
    `tools: ${path.given} exports no tool; export what \`defineTool\` returns, or an array of it`,
  );
}

/** The policy that a module exports by default or as `policy`. */
export async function loadPolicy(path: ModulePath): Promise<Policy> {
  const module = await load(path, "policy");
  const policy = module.default ?? module.policy;
  if (typeof policy === "function") return policy as Policy;
  throw new Fault("invalid_config", `policy: ${path.given} exports no function, neither by default nor as "policy"`);
}

async function load(path: ModulePath, key: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path.file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const { reason, hint } = await explainLoading(path, error);
    throw new Fault("invalid_config", `${key}: ${path.given} cannot be loaded: ${reason}`, { hint, cause: error });
  }
}

function isTool(value: unknown): value is AnyTool {
  return typeof value === "object" && value !== null && "name" in value && "execute" in value;
}
