import type { Bound } from "../registry/bound.ts";
import { indexOffer } from "../registry/offer.ts";
import type { PlacedPolicy } from "../registry/policy.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";

export interface LeanParts {
  readonly tools: readonly OfferedTool[];
  readonly bound: Bound;
  /** Asked before those of the scopes. */
  readonly policy: PlacedPolicy;
}

/** A surface of some tools of another, in their order. */
export function makeLeanSurface(base: Surface, { tools, bound, policy }: LeanParts): Surface {
  const { gated, registered, warnings, guards, instructions, finding } = base;
  const numbered = tools.map((tool, number) => Object.freeze({ ...tool, number }));
  const offer = indexOffer(numbered, { gated, registered, warnings });
  const { find, byProviderName, nearest } = offer;
  return Object.freeze<Surface>({
    tools: offer.tools,
    find,
    byProviderName,
    nearest,
    get hash() {
      return offer.hash;
    },
    gated,
    registered,
    warnings,
    guards,
    policies: Object.freeze([policy, ...base.policies]),
    instructions,
    finding,
    bound,
  });
}

/** The same surface to what calls it by name, with more that can be called and is not shown. */
export function widen(surface: Surface, more: (name: string) => OfferedTool | undefined): Surface {
  const { find } = surface;
  return Object.freeze<Surface>({
    ...surface,
    get hash() {
      return surface.hash;
    },
    find: (name) => find(name) ?? more(name),
  });
}
