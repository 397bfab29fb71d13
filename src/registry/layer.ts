import type { PlacedGuard, PlacedPolicy } from "./policy.ts";
import type { Tool } from "./tool.ts";

/** The registrations of one scope: the only thing here that changes, and only through its scope. */
export interface Layer {
  readonly name: string;
  /** The names of all scopes from the outermost, which tells tools of equal names apart. */
  readonly path: string;
  readonly parent: Layer | undefined;
  readonly tools: Map<string, Tool>;
  readonly guards: Map<string, PlacedGuard>;
  readonly policies: Set<PlacedPolicy>;
  /** Goes up with every registration and removal. */
  version: number;
}

export function makeLayer(name: string, parent: Layer | undefined): Layer {
  const path = parent === undefined ? name : `${parent.path}/${name}`;
  return { name, path, parent, tools: new Map(), guards: new Map(), policies: new Set(), version: 0 };
}

/** The layer and all around it, outermost first. */
export function chain(layer: Layer): readonly Layer[] {
  const layers: Layer[] = [];
  for (let at: Layer | undefined = layer; at !== undefined; at = at.parent) layers.unshift(at);
  return layers;
}
