import type { JsonBounds } from "../json.ts";
import { bounds } from "../limits.ts";

/** For values that a limit of their own bounds elsewhere. */
export const everything: JsonBounds = { maxDepth: bounds.jsonDepth, maxChars: bounds.frameBytes };
