import { isObject } from "../is-object.ts";
import { isOfHost } from "./layer.ts";
import { providedSource, type SearchKind } from "./provided.ts";
import { indexSearch, type Search, type Searchable } from "./search.ts";
import { bareName } from "./search-words.ts";
import type { Skill, SkillFolder } from "./skills.ts";
import type { OfferedTool, Surface } from "./surface.ts";

/** What tools are searched as: the host's own, and those of joined sources. */
const toolKinds = ["core", "mcp"] as const;

/** The kinds of things that one asks for by a kind. */
export function kindsOf(kind: SearchKind): readonly string[] {
  if (kind === "any") return [...toolKinds, "skill", "reference"];
  return kind === "tool" ? toolKinds : [kind];
}

interface Made {
  readonly search: Search;
  readonly folders: readonly SkillFolder[];
}

const made = new WeakMap<Surface["tools"], Made>();

/** The search over the tools of a surface, gated ones too, and over its skills and references; made at its first use. */
export function searchOf({ tools, gated, finding: { folders } }: Surface): Search {
  const known = made.get(tools);
  if (known?.folders === folders) return known.search;
  const found = [...tools, ...gated].filter(({ tool }) => tool.source !== providedSource);
  const search = indexSearch([
    ...found.map(searchable),
    ...folders.flatMap(({ skills }) => skills.map(searchableSkill)),
  ]);
  made.set(tools, { search, folders });
  return search;
}

function searchableSkill({ path, title, description, kind }: Skill): Searchable {
  return { name: path, kind, otherNames: [title], description, keywords: [], parameters: [] };
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
