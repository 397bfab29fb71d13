// The tools that a chain of layers offers: from the outermost in, each layer filters what came from above by its masks and
// adds its own; at the end every permit in force lets through its names alone.
import { hash } from "node:crypto";
import { type Nearest, prepareNearest } from "../nearest.ts";
import type { Layer } from "./layer.ts";
import { assignNames } from "./names.ts";
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

/** The part of a surface that says which tools there are. */
export interface Offer {
  readonly tools: readonly OfferedTool[];
  /** By exact name, else by alias. */
  readonly find: (name: string) => OfferedTool | undefined;
  readonly byProviderName: (name: string) => OfferedTool | undefined;
  /** What programs call the tools whose names are nearest, nearest first. */
  readonly nearest: (name: string) => readonly string[];
  /** Over names, aliases, descriptions, schemas and callers. */
  readonly hash: string;
  /** Every tool registered here or above, hidden ones too: for the host alone. */
  readonly registered: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
}

export interface OfferOptions {
  readonly codeTool: string;
  readonly maxProviderName: number;
}

/** A warning and the layer whose registration it is about. */
interface Note {
  readonly layer: Layer;
  readonly warning: Warning;
}

/** Of the layers of one chain, outermost first; `warn` is told once of each thing that is odd. */
export function makeOffer(
  layers: readonly Layer[],
  { codeTool, maxProviderName }: OfferOptions,
  warn: (layer: Layer, warning: Warning) => void,
): Offer {
  const { passed, registered, notes } = select(layers, codeTool);
  const offered = passed
    .filter(({ definition }) => definition.enabled !== false && definition.gated !== true)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const { names, warnings } = assignNames(offered, { maxProviderName, reserved: [codeTool] });
  const tools = offered.map((tool, number): OfferedTool => {
    const { name } = tool;
    const { alias, providerName } = names[number] ?? { providerName: name };
    return Object.freeze(
      alias === undefined ? { number, name, providerName, tool } : { number, name, alias, providerName, tool },
    );
  });
  for (const { layer, warning } of notes) warn(layer, warning);
  const innermost = layers.at(-1);
  if (innermost !== undefined) for (const warning of warnings) warn(innermost, warning);
  return indexOffer(Object.freeze(tools), registered, [...notes.map(({ warning }) => warning), ...warnings]);
}

function indexOffer(
  tools: readonly OfferedTool[],
  registered: ReadonlySet<string>,
  warnings: readonly Warning[],
): Offer {
  const byAccessor = new Map<string, OfferedTool>();
  const byProvider = new Map<string, OfferedTool>();
  for (const tool of tools) if (tool.alias !== undefined) byAccessor.set(tool.alias, tool);
  for (const tool of tools) {
    byAccessor.set(tool.name, tool);
    byProvider.set(tool.providerName, tool);
  }
  let shown: string | undefined;
  let near: Nearest | undefined;
  return Object.freeze<Offer>({
    tools,
    find: (name) => byAccessor.get(name),
    byProviderName: (name) => byProvider.get(name),
    nearest(name) {
      near ??= prepareNearest([...byAccessor.keys()]);
      const accessors = near(name).map((accessor) => accessorOf(byAccessor.get(accessor), accessor));
      return [...new Set(accessors)];
    },
    get hash() {
      return (shown ??= hash("sha256", tools.map(({ alias = "", tool }) => `${tool.fingerprint} ${alias}`).join("\n")));
    },
    registered,
    warnings: Object.freeze(warnings),
  });
}

function select(
  layers: readonly Layer[],
  codeTool: string,
): { readonly passed: readonly Tool[]; readonly registered: ReadonlySet<string>; readonly notes: readonly Note[] } {
  const visible = new Map<string, Tool>();
  const registered = new Set<string>();
  const notes: Note[] = [];
  for (const layer of layers) {
    for (const mask of layer.masks) {
      for (const name of visible.keys()) if (!mask.admits(name)) visible.delete(name);
      for (const { side, entry } of mask.idle(registered)) notes.push(idleNote(layer, side, entry));
    }
    for (const [name, tool] of layer.tools) {
      visible.set(name, tool);
      registered.add(name);
    }
  }
  const permits = layers.flatMap((layer) => [...layer.permits]);
  for (const layer of layers) {
    for (const name of new Set([...layer.permits].flatMap((names) => [...names])))
      if (!registered.has(name)) notes.push(permitNote(layer, name, codeTool));
  }
  const passed = [...visible.values()].filter(({ name }) => permits.every((names) => names.has(name)));
  return { passed, registered, notes };
}

function idleNote(layer: Layer, side: string, entry: string): Note {
  const message = `scope "${layer.name}" restricts tools by ${side} ${JSON.stringify(entry)}, which matches no tool registered above it`;
  return { layer, warning: { kind: "restriction", message } };
}

function permitNote(layer: Layer, name: string, codeTool: string): Note {
  const why = name === codeTool ? "the code tool needs no permission" : "no tool has that name, so it permits nothing";
  const message = `scope "${layer.name}" permits ${JSON.stringify(name)}: ${why}`;
  return { layer, warning: { kind: "permission", message } };
}

const accessorOf = (tool: OfferedTool | undefined, name: string): string => tool?.alias ?? tool?.name ?? name;
