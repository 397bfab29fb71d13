import { Fault } from "../errors.ts";
import { checkGiven, checkText, describe } from "../options.ts";
import { lookUp } from "../policy/fence.ts";
import type { GrantTerms, ToolIdentity } from "../policy/grants.ts";

/** Who confirms or discards a planned action. */
export interface ConfirmOptions {
  readonly by: string;
}

export interface GrantOptions {
  readonly capability: string;
  /** It covers this path and what is below it; every path unless given. */
  readonly path?: string;
  /** It is for this tool alone: its source, and its name there. */
  readonly tool?: ToolIdentity;
  /** `once` lets one call through; for the session unless given. */
  readonly scope?: "once" | "session";
  readonly by?: string;
  readonly reason?: string;
}

/** Throws `invalid_options` for what is no grant, or a path that cannot be looked up. */
export async function readGrant(given: GrantOptions, base: string): Promise<GrantTerms> {
  const known = {
    capability: "text",
    path: "text",
    tool: "object",
    scope: "text",
    by: "text",
    reason: "text",
  } as const;
  checkGiven("session.grant", given, known);
  const { capability, path, tool, scope = "session", by = "the host", reason } = given;
  checkText("the capability of a grant", capability);
  if (scope !== "once" && scope !== "session")
    throw new Fault("invalid_options", `the scope of a grant is "once" or "session", got ${describe(scope)}`);
  if (tool !== undefined) {
    checkGiven("the tool of a grant", tool, { source: "text", name: "text" });
    checkText("the source of a grant's tool", tool.source);
    checkText("the name of a grant's tool", tool.name);
  }
  const real = path === undefined ? undefined : await lookUp(path, base);
  if (typeof real === "object")
    throw new Fault("invalid_options", `the path of a grant, ${describe(path)}, cannot be used: ${real.why}`);
  return {
    capability,
    ...(real === undefined ? {} : { path: real }),
    ...(tool === undefined ? {} : { tool: { source: tool.source, name: tool.name } }),
    scope,
    by,
    ...(reason === undefined ? {} : { reason }),
  };
}

export function readBy(what: string, given: ConfirmOptions): string {
  checkGiven(what, given, { by: "text" });
  checkText(`by of ${what}`, given.by);
  return given.by;
}

export const notFound = (action: string, session: string): Fault =>
  new Fault("action_not_found", `session "${session}" has no planned action ${describe(action)} that could still run`, {
    hint: "session.planned() lists them; one that was discarded stays so",
  });
