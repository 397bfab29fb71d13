import { type Instructions, readInstructions } from "./instructions.ts";
import { type Aspect, chain, type Layer } from "./layer.ts";
import { makeOffer, type Offer, type OfferOptions } from "./offer.ts";
import type { PlacedGuard, PlacedPolicy } from "./policy.ts";
import type { Warning } from "./warning.ts";

export type { OfferedTool } from "./offer.ts";

/**
 * The frozen set that one request shows, its tools in name order by code units; later steps read only this. What did not
 * change since the last surface of its scope (`tools`, `instructions`) is the same object in the next.
 */
export interface Surface extends Offer {
  /** Outermost scope first, then in order of registration. */
  readonly guards: readonly PlacedGuard[];
  readonly policies: readonly PlacedPolicy[];
  readonly instructions: Instructions;
}

export interface SurfaceOptions extends OfferOptions {
  /** The line that says who an agent is, where a scope only switches it on. */
  readonly identity: string;
}

/** Gives the surface of a layer as it is now: the same object until something in its chain changes. */
export function surfaceOf(
  layer: Layer,
  options: SurfaceOptions,
  warn: (layer: Layer, warning: Warning) => void,
): () => Surface {
  const offer = latest(layer, "tools", (layers) => makeOffer(layers, options, warn));
  const checks = latest(layer, "checks", (layers) => ({
    guards: Object.freeze(layers.flatMap(({ guards }) => [...guards.values()])),
    policies: Object.freeze(layers.flatMap(({ policies }) => [...policies])),
  }));
  const instructions = latest(layer, "instructions", (layers) => readInstructions(layers, options.identity));
  let made: { readonly surface: Surface; readonly of: readonly unknown[] } | undefined;
  return () => {
    const of = [offer(), checks(), instructions()] as const;
    if (made === undefined || made.of.some((part, index) => part !== of[index])) {
      made = { surface: makeSurface(...of), of };
    }
    return made.surface;
  };
}

function makeSurface(
  offer: Offer,
  { guards, policies }: Pick<Surface, "guards" | "policies">,
  instructions: Instructions,
): Surface {
  const { tools, find, byProviderName, nearest, registered, warnings } = offer;
  return Object.freeze<Surface>({
    tools,
    find,
    byProviderName,
    nearest,
    get hash() {
      return offer.hash;
    },
    registered,
    warnings,
    guards,
    policies,
    instructions,
  });
}

/** What `make` gives of the layer's chain, made again only after the aspect changed in it. */
function latest<T>(layer: Layer, aspect: Aspect, make: (layers: readonly Layer[]) => T): () => T {
  let made: { readonly key: string; readonly value: T } | undefined;
  return () => {
    const layers = chain(layer);
    const key = layers.map(({ versions }) => versions[aspect]).join(" ");
    if (made?.key !== key) made = { key, value: make(layers) };
    return made.value;
  };
}
