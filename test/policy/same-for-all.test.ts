// A call from inside a program meets exactly what a direct call and a call of the host meet.
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AskHost, requestCapability, stockPolicy } from "../../src/index.ts";
import { tool, useRuntime } from "../agent/fixture.ts";
import { open, routes, type Setting, type Told } from "./routes.ts";

const fixture = useRuntime({ approvalMs: 50 });
const folder = realpathSync(mkdtempSync(join(tmpdir(), "codecall-policy-")));
const given = (args: unknown): unknown => args;

interface Row {
  readonly what: string;
  readonly setting: Omit<Setting, "tools"> & { readonly tools?: Setting["tools"] };
  readonly args?: unknown;
  readonly name?: string;
  readonly ask?: AskHost;
  readonly told: Told;
  readonly decision: readonly [verdict: string, code: string];
}

const asks = { setUp: (scope: Parameters<NonNullable<Setting["setUp"]>>[0]) => scope.policy(() => "ask") };
const act = tool("act", given);
const fenced = tool("act", given, { effects: ["read"], paths: { read: ["path"] } });
const written = tool("act", given, { effects: ["write"], paths: { write: ["files[].path"] } });

const rows: readonly Row[] = [
  {
    what: "G1 C1 a guard",
    setting: { setUp: (scope) => scope.guard("closed", () => "closed on Sundays") },
    told: { status: "refused", code: "guard_refused", message: 'guard "closed" refused the call: closed on Sundays' },
    decision: ["refuse", "guard_refused"],
  },
  {
    what: "G5 a policy that refuses, with its code, sentence and hint",
    setting: {
      setUp: (scope) => scope.policy(() => ({ verdict: "refuse", code: "no_pay", message: "no", hint: "ask Mara" })),
    },
    told: { status: "refused", code: "no_pay", message: "no", hint: "ask Mara" },
    decision: ["refuse", "no_pay"],
  },
  {
    what: "G5 a policy that sees arguments, grants and task",
    setting: {
      setUp: (scope) =>
        scope.policy(
          ({ args }, grants, { activity, turn, session, tenant, tainted, workingFolder, confirmationGated }) => ({
            verdict: "refuse",
            message: JSON.stringify([
              args,
              grants.covers("mutate"),
              activity,
              turn,
              session,
              tenant,
              tainted,
              workingFolder,
              confirmationGated,
            ]),
          }),
        ),
      turn: { workingFolder: folder },
    },
    args: { a: 1 },
    told: {
      status: "refused",
      code: "policy_refused",
      message: `[{"a":1},false,"act",1,"chat","acme",false,${JSON.stringify(folder)},false]`,
    },
    decision: ["refuse", "policy_refused"],
  },
  {
    what: "G5 a policy that cancels",
    setting: { setUp: (scope) => scope.policy(() => "cancel") },
    told: { status: "cancelled", code: "policy_cancelled", message: "the policy cancelled the call" },
    decision: ["cancel", "policy_cancelled"],
  },
  {
    what: "G4 a question that nobody is there to answer",
    setting: asks,
    told: {
      status: "refused",
      code: "approval_unavailable",
      message: "the policy asks for a person's approval, and nobody is there to answer",
    },
    decision: ["refuse", "approval_unavailable"],
  },
  {
    what: "G4 G14 a yes",
    setting: asks,
    args: { a: 1 },
    ask: () => true,
    told: { status: "ok", value: { a: 1 } },
    decision: ["allow", "approved"],
  },
  {
    what: "G14 a no with its reason",
    setting: asks,
    ask: () => ({ verdict: "deny", reason: "too much", by: "Mara" }),
    told: { status: "refused", code: "approval_denied", message: "Mara denied the call: too much" },
    decision: ["refuse", "approval_denied"],
  },
  {
    what: "G14 other arguments in place of what was asked about",
    setting: asks,
    args: { a: 1 },
    ask: () => ({ verdict: "edit", args: { a: 2 } }),
    told: { status: "ok", value: { a: 2 } },
    decision: ["allow", "edited"],
  },
  {
    what: "G14 an answer that is none",
    setting: asks,
    ask: () => ({ verdict: "perhaps" }),
    told: {
      status: "refused",
      code: "approval_denied",
      message: 'a person denied the call: the answer had the verdict "perhaps", which is none',
    },
    decision: ["refuse", "approval_denied"],
  },
  {
    what: "G14 no answer in time",
    setting: asks,
    ask: () => new Promise(() => undefined),
    told: {
      status: "refused",
      code: "approval_expired",
      message: "the policy asks for a person's approval, and nobody answered within 50 ms",
    },
    decision: ["refuse", "approval_expired"],
  },
  {
    what: "G6 reading outside the allowed folders",
    setting: { tools: [fenced], deployment: { roots: [folder] } },
    args: { path: "/etc/hostname" },
    told: {
      status: "refused",
      code: "read_outside_fence",
      message:
        'reading "/etc/hostname" is outside the allowed folders: it would need the capability read_outside_fence for that path',
    },
    decision: ["refuse", "read_outside_fence"],
  },
  {
    what: "G6 writing outside them, at a nested path",
    setting: { tools: [written], deployment: { roots: [folder] } },
    args: { files: [{ path: join(folder, "a") }, { path: `${folder}/../b` }] },
    told: {
      status: "refused",
      code: "mutate_outside_fence",
      message: `writing ${JSON.stringify(`${folder}/../b`)} is outside the allowed folders: it would need the capability mutate_outside_fence for that path`,
    },
    decision: ["refuse", "mutate_outside_fence"],
  },
  {
    what: "G7 a write in an activity that only reads",
    setting: { tools: [tool("act", given, { effects: ["write"] })], turn: { activity: "plan" } },
    told: {
      status: "refused",
      code: "read_only_activity",
      message:
        'act may change something, and a turn with the activity "plan" only reads: it would need the capability mutate',
    },
    decision: ["refuse", "read_only_activity"],
  },
  {
    what: "G7 a tool of unknown effects in such an activity",
    setting: { turn: { activity: "research" } },
    told: {
      status: "refused",
      code: "read_only_activity",
      message:
        'act may change something, and a turn with the activity "research" only reads: it would need the capability mutate',
    },
    decision: ["refuse", "read_only_activity"],
  },
  {
    what: "G8 a no to a capability",
    setting: { tools: [requestCapability()] },
    name: "request_capability",
    args: { name: "mutate", reason: "to mend it" },
    ask: () => "Deny",
    told: { status: "refused", code: "approval_denied", message: "a person denied the call" },
    decision: ["refuse", "approval_denied"],
  },
  {
    what: "G8 a capability that nobody is there to give",
    setting: { tools: [requestCapability()] },
    name: "request_capability",
    args: { name: "mutate", reason: "to mend it" },
    told: {
      status: "refused",
      code: "approval_unavailable",
      message: "mutate is asked for: to mend it, and nobody is there to answer",
    },
    decision: ["refuse", "approval_unavailable"],
  },
  {
    what: "S9 what requires approval, by the stock policy",
    setting: { tools: [tool("act", given, { requiresApproval: true })], setUp: (scope) => scope.policy(stockPolicy()) },
    told: {
      status: "refused",
      code: "approval_unavailable",
      message: 'tool "act" requires approval, and nobody is there to answer',
    },
    decision: ["refuse", "approval_unavailable"],
  },
  {
    what: "C14 a budget that is used up",
    setting: { turn: { budget: { calls: 0 } } },
    told: {
      status: "refused",
      code: "budget_exhausted",
      message: "the turn has used up its budget of 0 calls",
      hint: "make no more calls; finish with what you have",
    },
    decision: ["refuse", "budget_exhausted"],
  },
];

describe("whoever makes a call", () => {
  describe.each(routes.map(([route, make]) => ({ route, make })))("$route", ({ make }) => {
    it.each(rows)(
      "C1 G1 G4 G5 G6 G7 G8 G14 S9 C14 it meets $what",
      async ({ setting, args = {}, name = "act", ask, told, decision }) => {
        const { turn } = await open(fixture, { tools: [act], ...setting });
        expect(await make(turn, name, args, ask)).toEqual(told);
        const [entry] = turn.record();
        expect([entry?.decision.verdict, entry?.decision.code]).toEqual(decision);
        expect(entry?.args).toEqual(args);
      },
    );

    it("G10 an external call is planned, and nothing runs", async () => {
      let ran = 0;
      const send = tool("send", () => (ran += 1), { effects: ["external"] });
      const { turn, session } = await open(fixture, { tools: [send] });
      const told = await make(turn, "send", { to: "mara" });
      const [action] = session.planned();
      expect(action).toMatchObject({ tool: "send", args: '{"to":"mara"}', status: "planned", turn: 1 });
      const message = "send was not executed: it is planned and runs once a person has confirmed it";
      expect(told).toEqual({ status: "planned", value: { id: action?.id, status: "planned", message } });
      expect(ran).toBe(0);
      expect(turn.record()[0]).toMatchObject({ status: "planned", effect: "none", attempts: 0 });
    });

    it("G8 G9 a capability that was asked for lets one call through", async () => {
      const { turn, session } = await open(fixture, {
        tools: [tool("act", () => "done", { effects: ["write"] }), requestCapability()],
        turn: { activity: "review" },
      });
      const asked = await make(
        turn,
        "request_capability",
        { name: "mutate", reason: "to mend it" },
        () => "Allow once",
      );
      const [grant] = session.grants();
      expect(asked).toEqual({ status: "ok", value: { id: grant?.id, capability: "mutate", scope: "once" } });
      expect(await make(turn, "act", {})).toEqual({ status: "ok", value: "done" });
      expect(await make(turn, "act", { n: 2 })).toMatchObject({ status: "refused", code: "read_only_activity" });
      const [, second] = turn.record();
      expect(second?.decision.code).toBe("granted");
      expect(session.grants()).toMatchObject([{ status: "used", usedBy: second?.callId, by: "a person" }]);
    });
  });
});
