import type { OfferedTool } from "./offer.ts";

/** What a lean surface is of all that is there. Its tools are those always on, then those the turn forces, then those found. */
export interface Bound {
  /** How many of each. */
  readonly always: number;
  readonly forced: number;
  readonly found: number;
  /** What else could be bound, and what is forced or found, by name. */
  readonly others: readonly OfferedTool[];
  readonly deferLoading: boolean;
  /** Of the index of names. */
  readonly indexTokens: number;
  /** How a tool that is not bound can be had; undefined for what nobody may know of. */
  readonly hint: (name: string) => string | undefined;
}
