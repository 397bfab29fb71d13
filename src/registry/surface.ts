import { createHash } from "node:crypto";
import { canonicalJson, type JsonValue } from "../json.ts";
import { type Nearest, prepareNearest } from "../nearest.ts";
import { chain, type Layer } from "./layer.ts";
import { assignNames } from "./names.ts";
import type { PlacedGuard, PlacedPolicy } from "./policy.ts";
import type { Tool } from "./tool.ts";
import type { Warning } from "./warning.ts";

export interface OfferedTool {
  /** Its place in the surface: what a program's calls carry. */
  readonly number: number;
  readonly name: string;
  readonly alias?: string;
  readonly providerName: string;
  readonly tool: Tool;
}

/** The frozen set that one request shows, in name order by code units; later steps read only this. */
export interface Surface {
  readonly tools: readonly OfferedTool[];
  /** By exact name, else by alias. */
  readonly find: (name: string) => OfferedTool | undefined;
  readonly byProviderName: (name: string) => OfferedTool | undefined;
  /** What programs call the tools whose names are nearest, nearest first. */
  readonly nearest: (name: string) => readonly string[];
  /** Over names, descriptions, schemas and callers. */
  readonly hash: string;
  readonly warnings: readonly Warning[];
  /** Outermost scope first, then in order of registration. */
  readonly guards: readonly PlacedGuard[];
  readonly policies: readonly PlacedPolicy[];
}

export interface SurfaceOptions {
  readonly codeTool: string;
  readonly maxProviderName: number;
}

export function makeSurface(layer: Layer, { codeTool, maxProviderName }: SurfaceOptions): Surface {
  const layers = chain(layer);
  const visible = new Map(layers.flatMap(({ tools }) => [...tools]));
  const offered = [...visible.values()]
    .filter(({ definition }) => definition.enabled !== false && definition.gated !== true)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const { names, warnings } = assignNames(offered, { maxProviderName, reserved: [codeTool] });
  const tools = offered.map((tool, number): OfferedTool => {
    const { alias, providerName } = names[number] ?? { providerName: tool.name };
    return Object.freeze({ number, name: tool.name, ...(alias === undefined ? {} : { alias }), providerName, tool });
  });
  const byAccessor = new Map(tools.flatMap((tool) => (tool.alias === undefined ? [] : [[tool.alias, tool] as const])));
  for (const tool of tools) byAccessor.set(tool.name, tool);
  const byProvider = new Map(tools.map((tool) => [tool.providerName, tool]));
  let hash: string | undefined;
  let near: Nearest | undefined;
  return Object.freeze<Surface>({
    tools: Object.freeze(tools),
    find: (name) => byAccessor.get(name),
    byProviderName: (name) => byProvider.get(name),
    nearest(name) {
      near ??= prepareNearest([...byAccessor.keys()]);
      const accessors = near(name).map((accessor) => accessorOf(byAccessor.get(accessor), accessor));
      return [...new Set(accessors)];
    },
    get hash() {
      return (hash ??= hashOf(tools));
    },
    warnings: Object.freeze(warnings),
    guards: Object.freeze(layers.flatMap(({ guards }) => [...guards.values()])),
    policies: Object.freeze(layers.flatMap(({ policies }) => [...policies])),
  });
}

const accessorOf = (tool: OfferedTool | undefined, name: string): string => tool?.alias ?? tool?.name ?? name;

function hashOf(tools: readonly OfferedTool[]): string {
  const digest = createHash("sha256");
  for (const { name, tool } of tools) {
    const shown: JsonValue = [name, tool.description, tool.input.json, tool.output?.json ?? null, tool.callers];
    digest.update(`${canonicalJson(shown)}\n`);
  }
  return digest.digest("hex");
}
