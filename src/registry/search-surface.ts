import { isObject } from "../is-object.ts";
import { isOfHost } from "./layer.ts";
import { indexSearch, type Search, type Searchable } from "./search.ts";
import { bareName } from "./search-words.ts";
import type { OfferedTool, Surface } from "./surface.ts";

/** What tools are searched as: the host's own, and those of joined sources. */
export const toolKinds = ["core", "mcp"] as const;

const made = new WeakMap<Surface["tools"], Search>();

/** The search over the tools of a surface, made at its first use. */
export function searchOf({ tools }: Surface): Search {
  let search = made.get(tools);
  if (search === undefined) {
    search = indexSearch(tools.map(searchable));
    made.set(tools, search);
  }
  return search;
}

function searchable({ name, alias, providerName, tool }: OfferedTool): Searchable {
  const properties = tool.input.json["properties"];
  const others = [tool.originalName, alias ?? name, providerName].filter((other) => bareName(other) !== bareName(name));
  return {
    name,
    kind: isOfHost(tool.source) ? "core" : "mcp",
    otherNames: [...new Set(others)],
    description: tool.description,
    keywords: tool.definition.keywords ?? [],
    parameters: isObject(properties) ? Object.keys(properties) : [],
  };
}
