// The tools that a chain of layers offers: from the outermost in, each layer filters what came from above by its masks and
// adds its own; at the end every permit in force lets through its names alone.
import { hash } from "node:crypto";
import type { JsonObject } from "../json.ts";
import { type Nearest, prepareNearest } from "../nearest.ts";
import { isGlob } from "./glob.ts";
import type { Layer } from "./layer.ts";
import type { LearnedTypes } from "./learn/learner.ts";
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
  /** The schema of results that were observed, of a tool without an output schema. */
  readonly observed?: JsonObject;
}

/** The part of a surface that says which tools there are. */
export interface Offer {
  readonly tools: readonly OfferedTool[];
  /** By exact name, else by alias. */
  readonly find: (name: string) => OfferedTool | undefined;
  readonly byProviderName: (name: string) => OfferedTool | undefined;
  /** What programs call the tools whose names are nearest, nearest first. */
  readonly nearest: (name: string) => readonly string[];
  /** Over names, aliases, descriptions, schemas and callers, and of a surface over their named order. */
  readonly hash: string;
  /** Those that only a command binds, by name; none where the deployment is not lean. */
  readonly gated: readonly OfferedTool[];
  /** Every tool registered here or above, hidden ones too: for the host alone. */
  readonly registered: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
}

export interface OfferOptions {
  readonly codeTool: string;
  readonly maxProviderName: number;
  /** What is known of results, where they are observed. */
  readonly learned?: LearnedTypes | undefined;
  /** Of a lean deployment: the tools that are there unless one of their name is registered, whatever restricts the others. */
  readonly provided?: readonly Tool[] | undefined;
}

/** A warning and the layer whose registration it is about. */
interface Note {
  readonly layer: Layer;
  readonly warning: Warning;
}

/** Of the layers of one chain, outermost first; `warn` is told once of each thing that is odd. */
export function makeOffer(
  layers: readonly Layer[],
  { codeTool, maxProviderName, learned, provided }: OfferOptions,
  warn: (layer: Layer, warning: Warning) => void,
): Offer {
  const { passed, registered, notes } = select(layers, codeTool);
  const own = provided?.filter(({ name }) => !registered.has(name)) ?? [];
  const enabled = [...passed.filter(({ definition }) => definition.enabled !== false), ...own].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const isGated = ({ definition }: Tool): boolean => definition.gated === true;
  const gated = provided === undefined ? [] : enabled.filter(isGated);
  const offered = [...enabled.filter((tool) => !isGated(tool)), ...gated];
  const { names, warnings } = assignNames(offered, { maxProviderName, reserved: [codeTool] });
  const all = offered.map((tool, number): OfferedTool => {
    const { name } = tool;
    const { alias, providerName } = names[number] ?? { providerName: name };
    const observed = tool.output === undefined ? learned?.(tool) : undefined;
    return Object.freeze({
      number,
      name,
      ...(alias === undefined ? {} : { alias }),
      providerName,
      tool,
      ...(observed === undefined ? {} : { observed }),
    });
  });
  for (const { layer, warning } of notes) warn(layer, warning);
  const innermost = layers.at(-1);
  if (innermost !== undefined) for (const warning of warnings) warn(innermost, warning);
  return indexOffer(all.slice(0, offered.length - gated.length), {
    gated: Object.freeze(all.slice(offered.length - gated.length)),
    registered,
    warnings: Object.freeze([...notes.map(({ warning }) => warning), ...warnings]),
  });
}

const shownOf = ({ alias = "", tool, observed }: OfferedTool): string =>
  `${tool.fingerprint} ${alias}${observed === undefined ? "" : ` ${JSON.stringify(observed)}`}`;

/** An offer of these tools, in this order, with what is known beside them. */
export function indexOffer(
  tools: readonly OfferedTool[],
  { gated, registered, warnings }: Pick<Offer, "gated" | "registered" | "warnings">,
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
    tools: Object.freeze(tools),
    gated,
    find: (name) => byAccessor.get(name),
    byProviderName: (name) => byProvider.get(name),
    nearest(name) {
      near ??= prepareNearest([...byAccessor.keys()]);
      const accessors = near(name).map((accessor) => accessorOf(byAccessor.get(accessor), accessor));
      return [...new Set(accessors)];
    },
    get hash() {
      return (shown ??= hash("sha256", tools.map(shownOf).join("\n")));
    },
    registered,
    warnings,
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
  const globs = isGlob(name) ? "; names in scope.permit are exact, globs work in scope.restrict alone" : "";
  const why =
    name === codeTool ? "the code tool needs no permission" : `no tool has that name, so it permits nothing${globs}`;
  const message = `scope "${layer.name}" permits ${JSON.stringify(name)}: ${why}`;
  return { layer, warning: { kind: "permission", message } };
}

const accessorOf = (tool: OfferedTool | undefined, name: string): string => tool?.alias ?? tool?.name ?? name;
