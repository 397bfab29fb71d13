import { Fault } from "../errors.ts";
import { checkOptions, describe } from "../options.ts";
import type { CallView, Policy } from "./policy.ts";
import { type Effects, effectNames } from "./tool.ts";

export interface ApprovalOptions {
  /** Effects before which a person is asked, `["external"]` unless given. A tool that declares none counts as a write. */
  readonly effects?: Effects;
}

/** A policy that asks before the calls of tools that require approval or have one of these effects, and allows all others. */
export function approvalPolicy(options: ApprovalOptions = {}): Policy {
  checkOptions("approvalPolicy", options, { effects: "texts" });
  const { effects = ["external"] } = options;
  const unknown = effects.find((effect) => !effectNames.includes(effect));
  if (unknown !== undefined) {
    throw new Fault(
      "invalid_options",
      `effects of approvalPolicy are ${effectNames.join(", ")}, got ${describe(unknown)}`,
    );
  }
  const asked = new Set(effects);
  return (call) => {
    const reason = reasonToAsk(call, asked);
    return reason === undefined ? "allow" : { verdict: "ask", code: "approval_required", message: reason };
  };
}

function reasonToAsk(
  { name, requiresApproval, effects }: CallView,
  asked: ReadonlySet<Effects[number]>,
): string | undefined {
  const tool = `tool ${JSON.stringify(name)}`;
  if (requiresApproval) return `${tool} requires approval`;
  if (effects === undefined) return asked.has("write") ? `${tool} does not say what it changes` : undefined;
  const found = effects.find((effect) => asked.has(effect));
  return found === undefined ? undefined : `${tool} has the effect "${found}"`;
}
