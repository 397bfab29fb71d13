import { callableBy } from "../registry/callers.ts";
import type { OfferedTool, Surface } from "../registry/surface.ts";
import type { CatalogueTool } from "./catalogue.ts";

/** The tools that programs may call, as they are declared, in the surface's order. */
export function catalogueOf(surface: Pick<Surface, "tools">): readonly CatalogueTool[] {
  return callableBy(surface, "code").map(catalogueTool);
}

function catalogueTool({ name, alias, tool, observed }: OfferedTool): CatalogueTool {
  return {
    name,
    ...(alias === undefined ? {} : { alias }),
    source: tool.source,
    description: tool.description,
    input: tool.input.json,
    ...(tool.output === undefined ? {} : { output: tool.output.json }),
    ...(observed === undefined ? {} : { observed }),
  };
}
