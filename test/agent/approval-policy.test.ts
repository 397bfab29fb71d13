import { describe, expect, it } from "vitest";
import { type ApprovalCard, approvalPolicy, createDeployment, type Policy, type Scope } from "../../src/index.ts";
import { tool } from "./fixture.ts";

function deployment(policy?: Policy): Scope {
  const scope = createDeployment();
  scope.tool(tool("marked", () => 1, { requiresApproval: true, effects: [] }));
  scope.tool(tool("read", () => 1, { effects: ["read"] }));
  scope.tool(tool("write", () => 1, { effects: ["read", "write"] }));
  scope.tool(tool("send", () => 1, { effects: ["external"] }));
  scope.tool(tool("silent", () => 1));
  if (policy !== undefined) scope.policy(policy);
  return scope;
}

/** What a person is asked before each tool is called, all of them allowed. */
async function asked(policy: Policy): Promise<readonly (string | undefined)[]> {
  const agent = await deployment(policy).agent("a");
  const reasons: (string | undefined)[] = [];
  for (const name of ["marked", "read", "write", "send", "silent"]) {
    let reason: string | undefined;
    const ask = (card: ApprovalCard): boolean => ((reason = `${card.code}: ${card.reason}`), true);
    const outcome = await agent.call(name, {}, { ask, confirmationGated: true });
    expect(outcome.status).toBe("ok");
    reasons.push(reason);
  }
  return reasons;
}

describe("what a tool says of itself", () => {
  it("S9 gates nothing while no policy reads it", async () => {
    const agent = await deployment().agent("a");
    for (const name of ["marked", "write", "silent"])
      expect(await agent.call(name, {})).toMatchObject({ status: "ok", value: 1 });
  });

  it("S9 has the stock policy ask before what requires approval or changes the outside", async () => {
    expect(await asked(approvalPolicy())).toEqual([
      'approval_required: tool "marked" requires approval',
      undefined,
      undefined,
      'approval_required: tool "send" has the effect "external"',
      undefined,
    ]);
  });

  it("S9 has it ask before the effects that it is given, where saying none counts as a write", async () => {
    expect(await asked(approvalPolicy({ effects: ["write"] }))).toEqual([
      'approval_required: tool "marked" requires approval',
      undefined,
      'approval_required: tool "write" has the effect "write"',
      undefined,
      'approval_required: tool "silent" does not say what it changes',
    ]);
  });

  it("S9 G4 has it refuse where nobody is there to be asked", async () => {
    const agent = await deployment(approvalPolicy()).agent("a");
    expect(await agent.call("marked", {})).toMatchObject({
      status: "refused",
      error: {
        code: "approval_unavailable",
        message: 'tool "marked" requires approval, and nobody is there to answer',
      },
    });
  });

  it.each<[string, unknown]>([
    ['effects of approvalPolicy are read, write, external, got "delete"', { effects: ["write", "delete"] }],
    ['option effects of approvalPolicy must be an array of texts, got "write"', { effects: "write" }],
    ['approvalPolicy has no option "effect"; there are effects', { effect: [] }],
  ])("S9 what the policy cannot ask for is told: %s", (message, options) => {
    expect(() => approvalPolicy(options as never)).toThrow(
      expect.objectContaining({ code: "invalid_options", message }) as Error,
    );
  });
});
