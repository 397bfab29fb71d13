// The provided tools with the bodies that a turn gives them: the same schemas and names, so that nothing shown changes.
import { providedSource, readToolName, searchToolName } from "../registry/provided.ts";
import type { OfferedTool } from "../registry/surface.ts";

export interface Bodies {
  readonly search: (query: string, kind: string | undefined) => unknown;
  readonly read: (path: string, offset: number) => unknown;
}

/** What the schemas of the provided tools let through. */
type SearchArgs = { readonly query: string; readonly kind?: string };
type ReadArgs = { readonly path: string; readonly offset?: number };

export function withBodies(tools: readonly OfferedTool[], { search, read }: Bodies): readonly OfferedTool[] {
  const bodies: Readonly<Record<string, (args: never) => unknown>> = {
    [searchToolName]: ({ query, kind }: SearchArgs) => search(query, kind),
    [readToolName]: ({ path, offset = 0 }: ReadArgs) => read(path, offset),
  };
  return tools.map((offered) => {
    const body = isProvided(offered) ? bodies[offered.name] : undefined;
    if (body === undefined) return offered;
    const { tool } = offered;
    const definition = Object.freeze({
      ...tool.definition,
      execute: body,
    });
    return Object.freeze({ ...offered, tool: Object.freeze({ ...tool, definition }) });
  });
}

export const isProvided = ({ tool }: OfferedTool): boolean => tool.source === providedSource;
