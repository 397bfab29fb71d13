import type { Fact } from "./findings.ts";
import type { Node } from "./typescript.ts";

/** A fact and the node that it is about. */
export interface Placed {
  readonly fact: Fact;
  readonly at: Node;
}
