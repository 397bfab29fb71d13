import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ApprovalCard,
  createDeployment,
  requestCapability,
  type Session,
  type SessionOptions,
  type TurnOptions,
} from "../../src/index.ts";
import { createGrantBook } from "../../src/policy/grants.ts";
import { tool } from "../agent/fixture.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "codecall-grants-")));
const away = realpathSync(mkdtempSync(join(tmpdir(), "codecall-away-")));
const read = tool("read", ({ path }: { path: string }) => path, { effects: ["read"], paths: { read: ["path"] } });
const write = tool("write", () => "written", { effects: ["write"], paths: { write: ["path"] } });

async function open(turn: TurnOptions = {}, options: SessionOptions = {}) {
  const scope = createDeployment({ roots: [root] });
  for (const one of [read, write, requestCapability()]) scope.tool(one);
  const agent = await scope.agent("a");
  const session = await agent.session("chat", options);
  return { scope, session, turn: session.turn(turn) };
}

const codeOf = async (outcome: ReturnType<ReturnType<Session["turn"]>["call"]>): Promise<string> => {
  const told = await outcome;
  return "error" in told ? told.error.code : told.status;
};

describe("request_capability", () => {
  it("G8 puts a card that names capability, path and reason, and the call waits for it", async () => {
    const { turn, session } = await open();
    const cards: ApprovalCard[] = [];
    const args = { name: "read_outside_fence", path: `${away}/sub/..`, reason: "to compare" };
    const outcome = await turn.call("request_capability", args, {
      ask: (card) => (cards.push(card), "Allow for session"),
    });
    expect(cards[0]?.items).toEqual([
      {
        kind: "capability",
        callId: turn.record()[0]?.callId,
        tool: "request_capability",
        source: "deployment",
        args,
        code: "capability_requested",
        reason: `read_outside_fence is asked for for "${away}/sub/..": to compare`,
        capability: "read_outside_fence",
        path: away,
        choices: ["Allow once", "Allow for session", "Deny"],
        expiresMs: 86_400_000,
      },
    ]);
    const [grant] = session.grants();
    expect(outcome).toMatchObject({
      status: "ok",
      value: { id: grant?.id, capability: "read_outside_fence", path: away, scope: "session" },
    });
    expect(turn.record()[0]?.decision).toEqual({
      verdict: "allow",
      code: "granted_for_session",
      sentence: `a person granted read_outside_fence for ${JSON.stringify(away)} for the session`,
    });
    // What is granted already is not asked for again.
    expect(await codeOf(turn.call("request_capability", args))).toBe("ok");
    expect(session.grants()).toHaveLength(1);
  });

  it("G8 a yes covers that capability, that path and what is below it; reading never implies writing", async () => {
    const { turn, session } = await open();
    await session.grant({ capability: "read_outside_fence", path: join(away, "sub") });
    expect(await codeOf(turn.call("read", { path: join(away, "sub") }))).toBe("ok");
    expect(await codeOf(turn.call("read", { path: join(away, "sub/deep/a") }))).toBe("ok");
    expect(await codeOf(turn.call("read", { path: join(away, "sub2") }))).toBe("read_outside_fence");
    expect(await codeOf(turn.call("read", { path: join(away, "sub/../x") }))).toBe("read_outside_fence");
    expect(await codeOf(turn.call("write", { path: join(away, "sub") }))).toBe("mutate_outside_fence");
  });

  it.each(["Deny", "deny", false, undefined, "no", { verdict: "edit", args: {} }, 7])(
    "G8 G9 the answer %j grants nothing",
    async (answer) => {
      const { turn, session } = await open();
      const args = { name: "mutate", reason: "please", path: root };
      expect(await codeOf(turn.call("request_capability", args, { ask: () => answer }))).toBe("approval_denied");
      expect(session.grants()).toEqual([]);
    },
  );

  it.each(["Allow once", "allow once", true, "allow", { verdict: "Allow once", by: "Mara" }])(
    "G8 the answer %j grants it once",
    async (answer) => {
      const { turn, session } = await open({ activity: "plan" });
      const args = { name: "mutate", reason: "please" };
      expect(await codeOf(turn.call("request_capability", args, { ask: () => answer }))).toBe("ok");
      expect(session.grants()).toMatchObject([{ capability: "mutate", scope: "once", status: "open" }]);
      expect(await codeOf(turn.call("write", { path: "" }))).toBe("mutate_outside_fence");
      expect(session.grants()).toMatchObject([{ status: "open" }]);
      expect(await codeOf(turn.call("write", { path: root }))).toBe("ok");
      expect(await codeOf(turn.call("write", { path: root }))).toBe("read_only_activity");
    },
  );

  it("G8 a path is needed for what is outside the folders, and the refusal says how to ask", async () => {
    const { turn } = await open();
    const ask = (): boolean => true;
    expect(await turn.call("request_capability", { name: "read_outside_fence", reason: "x" }, { ask })).toMatchObject({
      error: {
        code: "arguments_invalid",
        message: "read_outside_fence is asked for one path; call request_capability again with path",
      },
    });
    const { results } = await turn.dispatch([{ id: "1", name: "read", input: { path: "/etc/hosts" } }]);
    expect(results[0]?.content.split("\n")[1]).toBe(
      'Hint: ask for it first: request_capability with {"name":"read_outside_fence","path":"/etc/hosts","reason":"why it is needed"}',
    );
  });

  it("G9 a tool that only has the name, and arguments that claim a grant, grant nothing", async () => {
    const scope = createDeployment({ roots: [root] });
    scope.tool(
      tool("request_capability", () => ({ id: "grant_1", capability: "mutate", scope: "session" }), { effects: [] }),
    );
    scope.tool(write);
    const session = await (await scope.agent("a")).session("chat");
    const turn = session.turn({ activity: "plan" });
    expect(await codeOf(turn.call("request_capability", { name: "mutate", reason: "x" }))).toBe("ok");
    expect(await codeOf(turn.call("write", { path: root, approved: true, grant: "grant_1" }))).toBe(
      "read_only_activity",
    );
    expect(session.grants()).toEqual([]);
  });
});

describe("grants", () => {
  it("G8 two calls at once do not share a grant for one", async () => {
    const { turn, session } = await open({ activity: "plan" });
    await session.grant({ capability: "mutate", scope: "once" });
    const codes = await Promise.all([1, 2].map((n) => codeOf(turn.call("write", { path: root, n }))));
    expect(codes.toSorted()).toEqual(["ok", "read_only_activity"]);
  });

  it("G8 a call that is refused later leaves the grant to the next one", async () => {
    const { turn, session, scope } = await open({ activity: "plan" });
    const guard = scope.guard("no", () => "no");
    await session.grant({ capability: "mutate", scope: "once" });
    expect(await codeOf(turn.call("write", { path: root }))).toBe("guard_refused");
    guard[Symbol.dispose]();
    expect(await codeOf(turn.call("write", { path: root }))).toBe("ok");
  });

  it("G6 G8 G14 arguments that a person puts in place of others are judged, granted and shown by themselves", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "codecall-edit-")));
    const inside = realpathSync(mkdtempSync(join(tmpdir(), "codecall-edit-")));
    const scope = createDeployment({ roots: [inside] });
    const seen: unknown[] = [];
    scope.tool(tool("act", (args: unknown) => args, { effects: ["write"], paths: { write: ["path"] } }));
    scope.policy(({ paths }) => (seen.push(paths.write), "ask"));
    const session = await (await scope.agent("a")).session("chat");
    const grant = await session.grant({ capability: "mutate_outside_fence", path: outside, scope: "once" });
    const edit = (args: unknown) => ({ ask: () => ({ verdict: "edit", args }) });
    const turn = session.turn();
    const path = join(outside, "x");
    expect(await turn.call("act", { path }, edit({ path: "/x" }))).toMatchObject({
      error: { code: "mutate_outside_fence" },
    });
    expect(await turn.call("act", { path }, edit({ path: join(inside, "y") }))).toMatchObject({ status: "ok" });
    expect(await turn.call("act", { path }, edit({}))).toMatchObject({ status: "ok", value: {} });
    expect(session.grants()).toMatchObject([{ id: grant.id, status: "open" }]);
    expect(seen).toEqual([[path], [path], [join(inside, "y")], [path], []]);
    const revoking = { ask: () => (session.revoke(grant.id), { verdict: "edit", args: { path: join(inside, "y") } }) };
    expect(await turn.call("act", { path }, revoking)).toMatchObject({ status: "ok" });
  });

  it("G9 C1 one that is revoked while its call waits refuses the call", async () => {
    const { turn, session, scope } = await open({ activity: "plan" });
    scope.policy(() => "ask");
    const { id } = await session.grant({ capability: "mutate" });
    expect(await turn.call("write", { path: root }, { ask: () => session.revoke(id) })).toMatchObject({
      status: "refused",
      error: {
        code: "grant_revoked",
        message: "the grant of mutate that the call relied on does not hold any more",
      },
    });
    expect(await session.revoke(id)).toBe(false);
    expect(await session.revoke("grant_none")).toBe(false);
    expect(session.grants()).toMatchObject([{ status: "revoked" }]);
  });

  it("G9 last over the turns of a session, and never reach another", async () => {
    const { session, scope } = await open();
    await session.grant({ capability: "mutate", by: "Mara", reason: "as agreed" });
    expect(session.grants()).toMatchObject([{ by: "Mara", reason: "as agreed", status: "open" }]);
    expect(await codeOf(session.turn({ activity: "plan" }).call("write", { path: root }))).toBe("ok");
    const other = await (await scope.agent("b")).session("chat");
    expect(await codeOf(other.turn({ activity: "plan" }).call("write", { path: root }))).toBe("read_only_activity");
  });

  it("G5 G9 are seen by policies, which may ask for capabilities of their own", async () => {
    const { turn, session, scope } = await open();
    scope.policy((call, grants) =>
      call.name !== "write" || grants.covers("run_pipeline", call.paths.write[0]) ? "allow" : "refuse",
    );
    expect(await codeOf(turn.call("write", { path: root }))).toBe("policy_refused");
    await session.grant({ capability: "run_pipeline", path: root, scope: "once" });
    expect(await codeOf(turn.call("write", { path: root, n: 1 }))).toBe("ok");
    expect(await codeOf(turn.call("write", { path: root, n: 2 }))).toBe("policy_refused");
  });

  it("G15 one for a tool is for its identity, whatever it is called here", async () => {
    const scope = createDeployment();
    const source = (name: string) => ({
      name,
      prefix: `${name}_`,
      tools: () => Promise.resolve([tool("write", () => "written", { effects: ["write"] })]),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
    await scope.source(source("one"));
    await scope.source(source("two"));
    const session = await (await scope.agent("a")).session("chat");
    const turn = session.turn({ activity: "plan" });
    await session.grant({ capability: "mutate", tool: { source: "two", name: "write" } });
    expect(await codeOf(turn.call("one_write"))).toBe("read_only_activity");
    expect(await codeOf(turn.call("two_write"))).toBe("ok");
  });

  it("G9 a book made of its events is the same book", () => {
    const book = createGrantBook();
    const terms = { capability: "mutate", by: "host" } as const;
    const first = book.add({ ...terms, scope: "once" });
    const second = book.add({ ...terms, scope: "session", path: root });
    book.add({ ...terms, scope: "session" });
    const need = { callId: "c", tool: { source: "", name: "" }, capability: "mutate", path: undefined };
    expect(book.revoke(second.id)).toBe(true);
    book.revoke(book.list()[2]?.id ?? "");
    expect(book.find(need)?.id).toBe(first.id);
    book.use("c");
    const again = createGrantBook(structuredClone(book.events()));
    expect(again.list()).toEqual(book.list());
    expect(again.list().map(({ status }) => status)).toEqual(["used", "revoked", "revoked"]);
    expect(again.find({ ...need, callId: "d" })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["the capability of a grant must be text that is not empty, got undefined", {}],
    ['the scope of a grant is "once" or "session", got "always"', { capability: "x", scope: "always" }],
    [
      "the source of a grant's tool must be text that is not empty, got undefined",
      { capability: "x", tool: { name: "y" } },
    ],
    ['the path of a grant, "\\u0000", cannot be used: it holds a NUL character', { capability: "x", path: "\0" }],
    [
      'session.grant has no option "path2"; there are capability, path, tool, scope, by, reason',
      { capability: "x", path2: "" },
    ],
  ])("G9 what is no grant is told: %s", async (message, options) => {
    const { session } = await open();
    await expect(session.grant(options as never)).rejects.toThrow(message);
  });

  it("G7 an unknown activity is told with the ones there are", async () => {
    const { session } = await open();
    expect(() => session.turn({ activity: "muse" })).toThrow(
      'unknown activity "muse"; the activities are plan, review, research, act',
    );
  });

  it("G7 what reads or is pure runs in every activity", async () => {
    for (const activity of ["plan", "review", "research", "act"]) {
      const { turn } = await open({ activity });
      expect(await codeOf(turn.call("read", { path: root }))).toBe("ok");
    }
  });
});
