// The tools that codecall provides are known by their `execute`, which a registration keeps: a tool that only has the name of
// one, or a copy of its definition with another body, is an ordinary tool.
import { type Call, callKey, type OfCall } from "../bridge/call.ts";
import type { Failed } from "../bridge/outcome.ts";
import type { OfferedTool } from "../registry/surface.ts";
import type { ToolContext } from "../registry/tool.ts";
import type { Sought } from "./fence.ts";
import type { Grant } from "./grants.ts";
import type { PlannedTerms } from "./planned.ts";

export type Provided = "request_capability" | "propose_action";

/** What a provided tool may do in the session that calls it. */
export interface ProvidedHome {
  /** What the call asked for and was given. */
  granted?: Grant;
  /** The tool that whoever made the call knows by that name. */
  find(name: string): OfferedTool | undefined;
  nearest(name: string): readonly string[];
  /** The real paths that arguments name, in order. */
  pathsOf(sought: Sought): Promise<readonly string[] | Failed>;
  propose(terms: Pick<PlannedTerms, "tool" | "identity" | "args" | "paths" | "reason">): Planned | Promise<Planned>;
}

interface Planned {
  readonly id: string;
}

const bodies = new WeakMap<object, Provided>();
const homes = new WeakMap<Call, ProvidedHome>();

export function provide<F extends (...args: never[]) => unknown>(kind: Provided, execute: F): F {
  bodies.set(execute, kind);
  return execute;
}

export const providedBy = (execute: object | undefined): Provided | undefined =>
  execute === undefined ? undefined : bodies.get(execute);

export const providedIn = ({ offered }: Call): Provided | undefined => providedBy(offered?.tool.definition.execute);

export const setHome = (call: Call, home: ProvidedHome): unknown => homes.set(call, home);

export const homeOfCall = (call: Call): ProvidedHome | undefined => homes.get(call);

/** Throws where the tool does not run in a session. */
export function homeOf(context: ToolContext): ProvidedHome {
  const call = (context as ToolContext & Partial<OfCall>)[callKey];
  const home = call === undefined ? undefined : homes.get(call);
  if (home === undefined) throw new Error("a provided tool runs in the turn of a session");
  return home;
}
