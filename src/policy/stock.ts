import { approvalPolicy, type ApprovalOptions } from "../registry/approval-policy.ts";
import { checkOptions } from "../options.ts";
import type { Policy } from "../registry/policy.ts";

/**
 * A policy that asks a person before the calls of tools that require approval, before an `external` call once something was
 * read from an untrusted source, and before the effects given (none unless given); it allows all others. What codecall's own
 * rules refuse, it does not turn back.
 */
export function stockPolicy(options: ApprovalOptions = {}): Policy {
  checkOptions("stockPolicy", options, { effects: "texts" });
  const { effects = [] } = options;
  const required = approvalPolicy({ effects });
  return (call, grants, task) => {
    if (task.tainted && call.effects?.includes("external") === true) {
      const message = `tool ${JSON.stringify(call.name)} has the effect "external", after something was read from an untrusted source`;
      return { verdict: "ask", code: "untrusted_read", message };
    }
    return required(call, grants, task);
  };
}
