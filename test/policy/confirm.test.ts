import { mkdirSync, mkdtempSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type AnyTool,
  createDeployment,
  type DeploymentOptions,
  proposeAction,
  requestCapability,
  type Scope,
  stockPolicy,
} from "../../src/index.ts";
import { tool } from "../agent/fixture.ts";

async function open(tools: readonly AnyTool[], options: DeploymentOptions = {}, setUp?: (scope: Scope) => unknown) {
  const scope = createDeployment(options);
  for (const one of tools) scope.tool(one);
  await setUp?.(scope);
  const agent = await scope.agent("a");
  const session = await agent.session("chat");
  return { scope, agent, session, turn: session.turn() };
}

function counting(more: Partial<AnyTool> = {}) {
  const ran: unknown[] = [];
  const send = tool("send", (args: unknown) => (ran.push(args), `sent ${ran.length}`), {
    effects: ["external"],
    ...more,
  });
  return { ran, send };
}

const mara = { by: "Mara" };

describe("the confirmation gate", () => {
  it("G10 what was planned runs once, with the arguments that were confirmed, whoever confirms it again or at once", async () => {
    const { ran, send } = counting();
    const { session, turn } = await open([send]);
    await turn.call("send", { to: "ana" });
    const [action] = session.planned();
    const id = action?.id ?? "";
    const outcomes = await Promise.all([session.confirm(id, mara), session.confirm(id, { by: "Ole" })]);
    expect(await session.confirm(id, { by: "Ida" })).toBe(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ status: "ok", effect: "done", value: "sent 1" });
    expect(outcomes[1]).toBe(outcomes[0]);
    expect(ran).toEqual([{ to: "ana" }]);
    expect(session.planned()).toMatchObject([{ id, status: "settled", by: "Mara", outcome: { status: "ok" } }]);
    expect(session.record().map(({ status, decision }) => [status, decision.code])).toEqual([
      ["planned", "allowed"],
      ["ok", "confirmed"],
    ]);
    expect(session.record()[1]?.decision.sentence).toBe("Mara confirmed the planned action");
  });

  it("G10 runs at once in a context that is gated, whether the session or the turn says so", async () => {
    const { ran, send } = counting();
    const { agent, session } = await open([send]);
    expect(await session.turn({ confirmationGated: true }).call("send")).toMatchObject({ status: "ok" });
    await using gated = await agent.session("gated", { confirmationGated: true });
    expect(await gated.turn().call("send")).toMatchObject({ status: "ok" });
    expect(await gated.turn({ confirmationGated: false }).call("send")).toMatchObject({ status: "planned" });
    expect(ran).toHaveLength(2);
  });

  it("G10 no policy lifts the gate, and what policies and guards refuse is not planned", async () => {
    const { ran, send } = counting();
    const { scope, session, turn } = await open([send], {}, (one) => one.policy(() => "allow"));
    expect(await turn.call("send")).toMatchObject({ status: "planned" });
    scope.guard("closed", () => "closed");
    expect(await turn.call("send", { n: 2 })).toMatchObject({ status: "refused" });
    expect(session.planned()).toHaveLength(1);
    // Guards are asked again when it is confirmed; policies that ask are answered by that.
    expect(await session.confirm(session.planned()[0]?.id ?? "", mara)).toMatchObject({
      error: { code: "guard_refused" },
    });
    expect(ran).toEqual([]);
  });

  it("G10 nobody is asked about what was confirmed", async () => {
    const { send } = counting();
    const { session, turn } = await open([send], {}, (scope) => scope.policy(() => "ask"));
    await turn.call("send", {}, { ask: () => true });
    expect(await session.confirm(session.planned()[0]?.id ?? "", mara)).toMatchObject({ status: "ok" });
  });

  it("G10 what a person put in place of the arguments is what is planned", async () => {
    const { ran, send } = counting();
    const { session, turn } = await open([send], {}, (scope) => scope.policy(() => "ask"));
    const outcome = await turn.call("send", { to: "a" }, { ask: () => ({ verdict: "edit", args: { to: "b" } }) });
    expect(outcome.status).toBe("planned");
    await session.confirm(session.planned()[0]?.id ?? "", mara);
    expect(ran).toEqual([{ to: "b" }]);
  });

  it("G10 a planned action whose relative paths were seen from the turn's folder runs with these", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "codecall-confirm-")));
    const { ran, send } = counting({ paths: { read: ["file"] } });
    const { session } = await open([send], { roots: [] });
    await session.turn({ workingFolder: root }).call("send", { file: "x" });
    const [action] = session.planned();
    expect(action).toMatchObject({ paths: [join(root, "x")], workingFolder: root });
    expect(await session.confirm(action?.id ?? "", mara)).toMatchObject({ status: "ok" });
    expect(ran).toEqual([{ file: join(root, "x") }]);
  });

  it("G10 what could not even begin waits as before", async () => {
    const { ran, send } = counting();
    const outer = createDeployment();
    const inner = outer.scope("inner");
    inner.tool(send);
    const session = await (await inner.agent("a")).session("chat");
    await session.turn().call("send");
    const id = session.planned()[0]?.id ?? "";
    inner[Symbol.dispose]();
    const both = await Promise.allSettled([session.confirm(id, mara), session.confirm(id, { by: "Ole" })]);
    expect(both).toMatchObject([
      { status: "rejected", reason: { code: "scope_disposed" } },
      { status: "rejected", reason: { code: "scope_disposed" } },
    ]);
    expect(session.planned()).toEqual([expect.objectContaining({ id, status: "planned" })]);
    expect(session.planned()[0]).not.toHaveProperty("by");
    expect(await session.discard(id, mara)).toBe(true);
    expect(ran).toEqual([]);
  });

  it("G10 what was discarded does not run, and unknown ids and missing names are told", async () => {
    const { ran, send } = counting();
    const { session, turn } = await open([send]);
    await turn.call("send");
    const id = session.planned()[0]?.id ?? "";
    expect(await session.discard(id, mara)).toBe(true);
    expect(await session.discard(id, mara)).toBe(false);
    expect(session.planned()).toMatchObject([{ status: "discarded", by: "Mara" }]);
    await expect(session.confirm(id, mara)).rejects.toMatchObject({ code: "action_not_found" });
    await expect(session.confirm("action_1", mara)).rejects.toThrow(
      'session "chat" has no planned action "action_1" that could still run',
    );
    await expect(session.confirm(id, {} as never)).rejects.toThrow(
      "by of session.confirm must be text that is not empty, got undefined",
    );
    expect(ran).toEqual([]);
  });

  it("G10 G15 runs the tool that was meant, by its identity, or none", async () => {
    const { ran, send } = counting();
    const { scope, session } = await open([]);
    const first = scope.tool(send);
    await session.turn().call("send");
    first[Symbol.dispose]();
    const inner: unknown[] = [];
    await scope.source({
      name: "other",
      tools: () => Promise.resolve([tool("send", (args: unknown) => inner.push(args), { effects: ["external"] })]),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
    expect(await session.confirm(session.planned()[0]?.id ?? "", mara)).toMatchObject({
      status: "refused",
      error: { code: "tool_not_offered", message: 'the tool "send" that was planned is not offered any more' },
    });
    expect([ran, inner]).toEqual([[], []]);
  });

  it("G6 G10 a path that leads elsewhere than when it was planned is refused", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "codecall-confirm-")));
    for (const name of ["sub", "b"]) mkdirSync(join(root, name));
    const { ran, send } = counting({ paths: { read: ["file"] } });
    const { session, turn } = await open([send], { roots: [root] });
    await turn.call("send", { file: join(root, "sub", "x") });
    renameSync(join(root, "sub"), join(root, "old"));
    symlinkSync(join(root, "b"), join(root, "sub"));
    expect(await session.confirm(session.planned()[0]?.id ?? "", mara)).toMatchObject({
      error: { code: "path_changed" },
    });
    expect(ran).toEqual([]);
  });

  it("G10 propose_action writes a call down and executes nothing, in every activity", async () => {
    const { ran, send } = counting({
      inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    });
    const { session } = await open([send, proposeAction()]);
    const turn = session.turn({ activity: "plan", confirmationGated: true });
    const outcome = await turn.call("propose_action", { tool: "send", arguments: { to: "ana" }, reason: "she asked" });
    const [action] = session.planned();
    expect(outcome).toMatchObject({ status: "planned", effect: "none", value: { id: action?.id, status: "planned" } });
    expect(action).toMatchObject({ tool: "send", args: '{"to":"ana"}', reason: "she asked" });
    expect(ran).toEqual([]);
    expect(await turn.call("propose_action", { tool: "sent" })).toMatchObject({
      error: { code: "tool_not_offered", hint: "did you mean send?" },
    });
    expect(await turn.call("propose_action", { tool: "send" })).toMatchObject({ error: { code: "arguments_invalid" } });
    expect(await session.confirm(action?.id ?? "", mara)).toMatchObject({ status: "ok" });
    expect(ran).toEqual([{ to: "ana" }]);
  });

  it("G6 G10 propose_action looks up the paths of what it plans, and it runs if they lead there still", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "codecall-confirm-")));
    const { ran, send } = counting({ paths: { read: ["file"] } });
    const { session } = await open([send, proposeAction()], { roots: [root] });
    const turn = session.turn({ workingFolder: root });
    for (const file of ["x", "y"]) await turn.call("propose_action", { tool: "send", arguments: { file } });
    expect(await turn.call("propose_action", { tool: "send", arguments: { file: "z\0" } })).toMatchObject({
      error: {
        code: "path_unusable",
        message: 'send: the path "z\\u0000" cannot be used: it holds a NUL character',
      },
    });
    const [x, y] = session.planned();
    expect([x?.paths, y?.paths]).toEqual([[join(root, "x")], [join(root, "y")]]);
    expect(await session.confirm(x?.id ?? "", mara)).toMatchObject({ status: "ok" });
    symlinkSync(join(root, "x"), join(root, "y"));
    expect(await session.confirm(y?.id ?? "", mara)).toMatchObject({ error: { code: "path_changed" } });
    expect(ran).toEqual([{ file: join(root, "x") }]);
  });

  it("G10 X3 propose_action knows a tool by the name that the model knows it by", async () => {
    const long = `send_${"x".repeat(100)}`;
    const { session } = await open([counting({ name: long }).send, proposeAction()]);
    const turn = session.turn();
    const shown = turn.surface().tools.find(({ name }) => name !== "propose_action")?.name ?? "";
    expect(shown).not.toBe(long);
    const input = { tool: shown };
    const { results } = await turn.dispatch([{ id: "1", name: "propose_action", input }]);
    expect(results[0]?.isError).toBe(false);
    expect(session.planned()).toMatchObject([{ tool: long }]);
  });

  it("G8 G10 what codecall provides itself is not planned: confirming it would grant nothing", async () => {
    const { session, turn } = await open([requestCapability(), proposeAction()]);
    for (const name of ["request_capability", "propose_action"]) {
      expect(await turn.call("propose_action", { tool: name })).toMatchObject({
        error: {
          code: "arguments_invalid",
          message: `${name} changes nothing outside, so there is nothing in it to plan`,
          hint: "call it by itself",
        },
      });
    }
    expect(session.planned()).toEqual([]);
  });
});

describe("taint", () => {
  const web = (untrusted?: boolean) => ({
    name: "web",
    ...(untrusted === undefined ? {} : { untrusted }),
    tools: () => Promise.resolve([tool("fetch", () => "text", { effects: ["read"] })]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });

  it.each([
    ["the source itself", (scope: Scope) => scope.source(web(true))],
    ["the registration", (scope: Scope) => scope.source(web(), { untrusted: true })],
  ])(
    "G17 the stock policy asks before an external call that follows a read marked untrusted by %s",
    async (_, joinWeb) => {
      const { send } = counting();
      const { session } = await open([send], {}, async (scope) => {
        scope.policy(stockPolicy());
        await joinWeb(scope);
      });
      const turn = session.turn({ confirmationGated: true });
      expect(await turn.call("send", { n: 1 })).toMatchObject({ status: "ok" });
      await turn.call("fetch");
      const next = session.turn({ confirmationGated: true });
      const reasons: unknown[] = [];
      const ask = ({ code, reason }: { code?: string; reason?: string }): boolean => (
        reasons.push([code, reason]),
        true
      );
      expect(await next.call("send", { n: 2 }, { ask })).toMatchObject({ status: "ok" });
      expect(reasons).toEqual([
        ["untrusted_read", 'tool "send" has the effect "external", after something was read from an untrusted source'],
      ]);
      expect(await next.call("send", { n: 3 })).toMatchObject({ error: { code: "approval_unavailable" } });
    },
  );

  it("G17 other sources, and calls that did not run, taint nothing", async () => {
    const { send } = counting();
    const { session } = await open([send], {}, async (scope) => {
      scope.policy(stockPolicy());
      await scope.source(web());
    });
    const turn = session.turn({ confirmationGated: true });
    await turn.call("fetch");
    expect(await turn.call("send")).toMatchObject({ status: "ok" });
  });
});
