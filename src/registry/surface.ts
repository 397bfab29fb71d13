import { hash } from "node:crypto";
import type { Bound } from "./bound.ts";
import { type Found, readFinding } from "./finding.ts";
import { type Instructions, readInstructions, unlistedTools } from "./instructions.ts";
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
  readonly finding: Found;
  /** Of a lean surface alone: what it is of all that is there. */
  readonly bound?: Bound;
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
  const finding = latest(layer, "finding", readFinding);
  let made: { readonly surface: Surface; readonly of: readonly unknown[] } | undefined;
  return () => {
    const of = [offer(), checks(), instructions(), finding()] as const;
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
  finding: Found,
): Surface {
  const { tools, find, byProviderName, nearest, gated, registered, warnings } = offer;
  let shown: string | undefined;
  return Object.freeze<Surface>({
    tools,
    find,
    byProviderName,
    nearest,
    get hash() {
      return (shown ??= hashOf(offer, instructions.toolOrder));
    },
    gated,
    registered,
    warnings,
    guards,
    policies,
    instructions,
    finding,
  });
}

/** The offer's own where no order is named; what an order says of tools that are not visible changes nothing. */
function hashOf(offer: Offer, order: readonly string[] | undefined): string {
  if (order === undefined) return offer.hash;
  const shown = order.filter((name) => name === unlistedTools || offer.find(name)?.name === name);
  return hash("sha256", JSON.stringify([offer.hash, shown]));
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
