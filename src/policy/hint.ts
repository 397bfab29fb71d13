import type { Call, StepState } from "../bridge/call.ts";
import { shownName } from "../bridge/stages/admit.ts";
import { providedBy } from "./provided.ts";

/** How whoever made the call asks for a capability, where they can. */
export function hintTo(call: Call, step: StepState, capability: string, path?: string): { readonly hint?: string } {
  const asking = step.surface.tools.find(
    ({ tool }) =>
      providedBy(tool.definition.execute) === "request_capability" &&
      tool.callers.includes(call.asked.caller === "program" || call.asked.caller === "tool" ? "code" : "direct"),
  );
  if (asking === undefined) return {};
  const args = JSON.stringify({
    name: capability,
    ...(path === undefined ? {} : { path }),
    reason: "why it is needed",
  });
  return { hint: `ask for it first: ${shownName(call, asking)} with ${args}` };
}
