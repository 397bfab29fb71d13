// The tools that codecall provides are known by their `execute`, which a registration keeps: a tool that only has the name of
// one, or a copy of its definition with another body, is an ordinary tool.
import { type Call, callKey, type OfCall, type StepState } from "../bridge/call.ts";
import type { ToolContext } from "../registry/tool.ts";
import type { Grant } from "./grants.ts";
import type { PlannedTerms } from "./planned.ts";

export type Provided = "request_capability" | "propose_action";

/** What a provided tool may do in the session that calls it. */
export interface ProvidedHome {
  readonly step: StepState;
  /** What the call asked for and was given. */
  granted?: Grant;
  propose(terms: Pick<PlannedTerms, "tool" | "identity" | "args" | "reason">): { readonly id: string };
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
