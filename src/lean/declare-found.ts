import { catalogueOf } from "../prompt/offered.ts";
import { declareOnce } from "../prompt/declarations.ts";
import type { OfferedTool } from "../registry/surface.ts";

/** The declarations of tools that programs may call, beside those that they already see; empty where there are none. */
export function declareFound(tools: readonly OfferedTool[]): string {
  const declared = catalogueOf({ tools }).map((tool) => declareOnce(tool, "full"));
  if (declared.length === 0) return "";
  const types = new Map(declared.flatMap((one) => one.types).map((type) => [type.name, type.text]));
  return [...types.values(), "declare const tools: {", ...declared.map(({ text }) => text), "};"].join("\n");
}
