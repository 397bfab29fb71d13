import { pathToFileURL } from "node:url";
import { Fault, messageOf } from "../errors.ts";
import type { Policy } from "../registry/policy.ts";
import type { AnyTool } from "../registry/tool.ts";

/** The tools that a module exports: each export that is a tool or an array of tools, the default one included. */
export async function loadTools(path: string): Promise<readonly AnyTool[]> {
  const exported = Object.values(await load(path, "tools"));
  const tools = new Set(exported.flat().filter(isTool));
  if (tools.size > 0) return [...tools];
  throw new Fault(
    "invalid_config",
    `tools: ${path} exports no tool; export what \`defineTool\` returns, or an array of it`,
  );
}

/** The policy that a module exports by default or as `policy`. */
export async function loadPolicy(path: string): Promise<Policy> {
  const module = await load(path, "policy");
  const policy = module.default ?? module.policy;
  if (typeof policy === "function") return policy as Policy;
  throw new Fault("invalid_config", `policy: ${path} exports no function, neither by default nor as "policy"`);
}

async function load(path: string, key: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new Fault("invalid_config", `${key}: ${path} cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
}

function isTool(value: unknown): value is AnyTool {
  return typeof value === "object" && value !== null && "name" in value && "execute" in value;
}
