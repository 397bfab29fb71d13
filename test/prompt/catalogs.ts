import type { CatalogTool } from "../shared.ts";
import type { Declarable } from "../../src/prompt/declarations.ts";
import type { JsonObject } from "../../src/json.ts";

/** The tools of a catalogue as they are declared. */
export const declarables = (tools: readonly CatalogTool[]): readonly Declarable[] =>
  tools.map((tool) => ({
    name: tool.name,
    alias: tool.name.replaceAll(/\W/g, "_"),
    description: tool.description,
    input: tool.inputSchema as JsonObject,
    ...(tool.outputSchema === undefined ? {} : { output: tool.outputSchema as JsonObject }),
  }));
