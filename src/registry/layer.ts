import type { Command } from "./command.ts";
import { type InstructionStore, makeInstructionStore } from "./instructions.ts";
import type { PlacedGuard, PlacedPolicy } from "./policy.ts";
import type { Mask } from "./restriction.ts";
import type { SkillFolder } from "./skills.ts";
import type { Tool } from "./tool.ts";
import type { Warning } from "./warning.ts";

/** What the versions of a layer count the changes of: what is offered, what decides about calls, what the prompt says, what else is found and bound. */
export type Aspect = "tools" | "checks" | "instructions" | "finding";

/** The registrations of one scope: the only thing here that changes, and only through its scope. */
export interface Layer {
  readonly name: string;
  /** The names of all scopes from the outermost, which tells tools of equal names apart. */
  readonly path: string;
  readonly parent: Layer | undefined;
  readonly tools: Map<string, Tool>;
  /** Filter the tools of the layers above. */
  readonly masks: Set<Mask>;
  /** Each lets through exactly its names, wherever in the chain their tools are. */
  readonly permits: Set<ReadonlySet<string>>;
  readonly guards: Map<string, PlacedGuard>;
  readonly policies: Set<PlacedPolicy>;
  readonly instructions: InstructionStore;
  /** By name. */
  readonly commands: Map<string, Command>;
  readonly folders: Map<string, SkillFolder>;
  /** By message, in the order in which they arose. */
  readonly warnings: Map<string, Warning>;
  /** Go up with every registration and removal. */
  readonly versions: Record<Aspect, number>;
}

export function makeLayer(name: string, parent: Layer | undefined): Layer {
  return {
    name,
    path: parent === undefined ? name : `${parent.path}/${name}`,
    parent,
    tools: new Map(),
    masks: new Set(),
    permits: new Set(),
    guards: new Map(),
    policies: new Set(),
    instructions: makeInstructionStore(),
    commands: new Map(),
    folders: new Map(),
    warnings: new Map(),
    versions: { tools: 0, checks: 0, instructions: 0, finding: 0 },
  };
}

/** Takes everything out of the layer but its warnings. */
export function clearLayer(layer: Layer): void {
  const { tools, masks, permits, guards, policies, instructions, commands, folders, versions } = layer;
  for (const held of [...Object.values(instructions), commands, folders, policies, guards, permits, masks, tools])
    held.clear();
  for (const aspect of Object.keys(versions) as Aspect[]) versions[aspect]++;
}

/** The name of the outermost scope. */
export const outermost = "deployment";

/** Whether a tool of this source was registered by the host, in whatever scope. */
export const isOfHost = (source: string): boolean => source === outermost || source.startsWith(`${outermost}/`);

/** The layer and all around it, outermost first. */
export function chain(layer: Layer): readonly Layer[] {
  const layers: Layer[] = [];
  for (let at: Layer | undefined = layer; at !== undefined; at = at.parent) layers.push(at);
  return layers.toReversed();
}
