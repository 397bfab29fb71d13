import { describe, expect, it } from "vitest";
import { Fault, type Policy, requestCapability } from "../../src/index.ts";
import { tool } from "./fixture.ts";
import { tenant, useHosts } from "./stored.ts";

const hosts = useHosts();
const open = async (...given: Parameters<typeof hosts.agent>) =>
  (await hosts.agent(...given)).session("chat", { tenant });

describe("a session in a store", () => {
  it("X14 `state` goes on in another process", async () => {
    {
      await using session = await open("first");
      await session.turn().run("state.count = 1; state.name = 'a'");
    }
    await using session = await open("second");
    expect(session.state).toEqual({ count: 1, name: "a" });
    const run = await session.turn().run("state.count += 1; return state");
    expect(run).toMatchObject({ status: "completed", value: { count: 2, name: "a" } });
  });

  it("X14 J9 two processes change `state` at once and neither undoes what the other did", async () => {
    await using first = await open("first");
    await using second = await open("second");
    await first.turn().run("state.one = 1");
    await second.turn().run("state.two = 2");
    await first.turn().run("state.three = 3");
    await using third = await open("second");
    expect(third.state).toEqual({ one: 1, two: 2, three: 3 });
  });

  it("X14 J6 `state` is kept before the run has ended for good", async () => {
    const order: string[] = [];
    const { store } = hosts;
    hosts.store = {
      ...store,
      put: (...given) => (order.push(String(given[1])), store.put(...given)),
      create: (...given) => (order.push("run"), store.create(...given)),
    };
    await using session = await open("first");
    await session.turn().run("state.n = 1");
    expect(order).toEqual(["session", "run"]);
  });

  it("G8 G9 grants, used and revoked ones too, are known after a restart; one for a single call is used up everywhere", async () => {
    const act = tool("act", () => "acted", { effects: ["write"] });
    const tools = [act, requestCapability()];
    {
      await using session = await open("first", tools);
      const turn = session.turn({ activity: "plan" });
      const ask = { ask: () => ({ verdict: "allow", scope: "once", by: "Mara" }) as const };
      expect(await turn.call("request_capability", { name: "mutate", reason: "to act" }, ask)).toMatchObject({
        status: "ok",
      });
      const gone = await session.grant({ capability: "mutate", by: "Noor" });
      await session.revoke(gone.id);
    }
    await using one = await open("first", tools);
    await using two = await open("second", tools);
    expect(two.grants()).toMatchObject([
      { capability: "mutate", scope: "once", by: "Mara", status: "open" },
      { capability: "mutate", by: "Noor", status: "revoked" },
    ]);
    expect(await one.turn({ activity: "plan" }).call("act")).toMatchObject({ status: "ok" });
    expect(await two.turn({ activity: "plan" }).call("act")).toMatchObject({
      status: "refused",
      error: { code: "grant_revoked" },
    });
    expect(two.grants()).toMatchObject([{ status: "used" }, { status: "revoked" }]);
  });

  it("G9 what cannot be written down is not granted", async () => {
    const act = tool("act", () => "acted", { effects: ["write"] });
    await using session = await open("first", [act, requestCapability()]);
    const { store } = hosts;
    hosts.store = { ...store, put: async () => Promise.reject(new Fault("store_full", "no room")) };
    const ask = { ask: () => ({ verdict: "allow", scope: "session" }) as const };
    const asked = await session
      .turn({ activity: "plan" })
      .call("request_capability", { name: "mutate", reason: "to act" }, ask);
    expect(asked).toMatchObject({ status: "refused", error: { code: "store_full", message: "no room" } });
    await expect(session.grant({ capability: "mutate" })).rejects.toMatchObject({ code: "store_full" });
    expect(await session.turn({ activity: "plan" }).call("act")).toMatchObject({ status: "refused" });
    hosts.store = store;
  });

  it("G10 a discarded action stays so in every process", async () => {
    const send = tool("send", () => "sent", { effects: ["external"] });
    await using first = await open("first", [send]);
    await first.turn().call("send");
    const id = first.planned()[0]?.id ?? "";
    await using second = await open("second", [send]);
    expect(await second.discard(id, { by: "Mara" })).toBe(true);
    await expect(first.confirm(id, { by: "Noor" })).rejects.toMatchObject({ code: "action_not_found" });
    expect(first.planned()).toMatchObject([{ status: "discarded", by: "Mara" }]);
  });

  it("G17 what an untrusted source tainted stays tainted after a restart", async () => {
    {
      await using session = await open("first");
      await session.turn().run("state.n = 1");
    }
    const document = await hosts.store.get(tenant, "session", "chat");
    const body = { ...(JSON.parse(document?.body ?? "{}") as object), tainted: ["mcp:web"] };
    await hosts.store.put(tenant, "session", "chat", JSON.stringify(body), document?.version, { at: 2 });
    const seen: boolean[] = [];
    const policy: Policy = (_call, _grants, task) => (seen.push(task.tainted), "allow");
    await using session = await open("second", [tool("send", () => "sent")], { policy });
    await session.turn().call("send");
    expect(seen).toEqual([true]);
  });

  it("X10 C15 a reference is read in another process, by its own session alone", async () => {
    const rows = tool("rows", () => Array.from({ length: 5_000 }, (_, n) => ({ n })), { effects: ["read"] });
    const picture = tool(
      "picture",
      (_, context) => context.reference({ type: "image/png", bytes: Uint8Array.of(1, 2, 3) }),
      {
        effects: ["read"],
      },
    );
    let ref = "";
    let image = "";
    {
      await using session = await open("first", [rows, picture]);
      const run = await session.turn().run("return [await tools.picture(), await tools.rows()]");
      if (run.status !== "completed") throw new Error(run.toModel());
      ref = run.reference?.ref ?? "";
      image = (run.value as [{ ref: string }])[0].ref;
    }
    const agent = await hosts.agent("second");
    await using session = await agent.session("chat", { tenant });
    const page = await session
      .turn()
      .run(`return await results.get(${JSON.stringify(ref)}, { path: "1", offset: 4999 })`);
    expect(page).toMatchObject({ status: "completed", value: [{ n: 4999 }] });
    expect(session.reference(image)).toEqual({ type: "image/png", bytes: Uint8Array.of(1, 2, 3) });
    await using other = await agent.session("chat2", { tenant });
    expect(() => other.reference(image)).toThrow(/has no reference/);
  });

  it("T3 turns go on counting in another process", async () => {
    {
      await using session = await open("first");
      await session.turn().run("state.n = 1");
      expect(session.turn().number).toBe(2);
      await session.turn().run("state.n = 2");
    }
    await using session = await open("second");
    expect(session.turn().number).toBe(4);
  });

  it("J5 a session that changes nothing leaves nothing, and an anonymous one never does", async () => {
    const agent = await hosts.agent("first", [tool("look", () => 1, { effects: ["read"] })]);
    {
      await using session = await agent.session("chat", { tenant });
      await session.turn().run("return await tools.look()");
    }
    await agent.run("state.n = 1", { tenant });
    expect(await hosts.store.listDocuments(tenant, "session")).toEqual([]);
  });

  it("J5 J8 another tenant's session of the same id is another one", async () => {
    const agent = await hosts.agent("first");
    {
      await using session = await agent.session("chat", { tenant });
      await session.turn().run("state.n = 1");
    }
    await using session = await agent.session("chat", { tenant: "other" });
    expect(session.state).toEqual({});
  });

  it("J5 a document that no session wrote is told as such, and the session does not open", async () => {
    await hosts.store.put(tenant, "session", "chat", "[1", undefined, { at: 1 });
    const agent = await hosts.agent("first");
    await expect(agent.session("chat", { tenant })).rejects.toMatchObject({
      code: "store_corrupt",
      message: 'what is kept of session "chat" is none that a session wrote',
    });
  });

  it("X14 what could not be written down is told, and the run's value with it", async () => {
    await using session = await open("first");
    const { store } = hosts;
    hosts.store = { ...store, put: async () => Promise.reject(new Fault("store_full", "no room")) };
    const run = await session.turn().run("state.n = 1; return 5");
    expect(run).toMatchObject({ status: "completed", value: 5 });
    expect(run.warnings).toContain("what the program left in `state` could not be written down: no room");
    hosts.store = store;
  });
});
