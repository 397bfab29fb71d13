import type { OfferedTool, Surface } from "./surface.ts";
import type { Caller } from "./tool.ts";

/** The tools that a model may call in that way: by itself, or from inside a program. */
export const callableBy = (surface: Pick<Surface, "tools">, caller: Caller): readonly OfferedTool[] =>
  surface.tools.filter(({ tool }) => tool.callers.includes(caller));
