import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import { requestIdOf } from "../../src/bridge/request-id.ts";
import { createStoreJournal } from "../../src/bridge/store-journal.ts";
import { proposeAction } from "../../src/index.ts";
import { tool } from "./fixture.ts";
import { tenant, useHosts } from "./stored.ts";

const hosts = useHosts();
const mara = { by: "Mara" };

function sending() {
  const sent: string[] = [];
  const send = tool("send", (args, { requestId }) => sent.push(requestId) && args, { effects: ["external"] });
  return { sent, send };
}

async function planned(host: "first" | "second", sent: ReturnType<typeof sending>) {
  const agent = await hosts.agent(host, [sent.send, proposeAction()]);
  return agent.session("chat", { tenant });
}

describe("a write on its way out", () => {
  it("J4 is reserved with its start and settled with its outcome, under the id that the tool was given", async () => {
    const { sent, send } = sending();
    const agent = await hosts.agent("first", [send]);
    const run = await agent.run("return await tools.send({ n: 1 })", { tenant, confirmationGated: true });
    expect(run.status).toBe("completed");
    expect(sent).toHaveLength(1);
    const [requestId = ""] = sent;
    const again = await hosts.store.reserve(tenant, requestId, { runId: "run_other", call: 1, at: 2 });
    expect(again).toMatchObject({ first: false, runId: run.runId, call: 1 });
    expect(again).toHaveProperty("outcome", expect.stringContaining('{"n":1}'));
  });

  it("J4 is not settled while what came of it is unknown", async () => {
    const ids: string[] = [];
    const agent = await hosts.agent("first", [
      tool("send", (_, { requestId }) => {
        ids.push(requestId);
        throw new Error("the line broke");
      }),
    ]);
    await agent.run("await tools.send({})", { tenant });
    const again = await hosts.store.reserve(tenant, ids[0] ?? "", { runId: "run_other", call: 1, at: 2 });
    expect(again).toMatchObject({ first: false });
    expect(again).not.toHaveProperty("outcome");
  });

  it("J3 J4 G10 a planned action confirmed in two processes executes once, and both get the first outcome", async () => {
    const one = sending();
    const two = sending();
    await using first = await planned("first", one);
    await first.turn().call("send", { n: 1 });
    const id = first.planned()[0]?.id ?? "";
    await using second = await planned("second", two);
    expect(second.planned()).toMatchObject([{ id, status: "planned", args: '{"n":1}' }]);
    const outcome = await first.confirm(id, mara);
    expect(outcome).toMatchObject({ status: "ok", value: { n: 1 } });
    expect(await second.confirm(id, { by: "Noor" })).toMatchObject({ status: "ok", value: { n: 1 } });
    expect([one.sent.length, two.sent.length]).toEqual([1, 0]);
    expect(second.planned()).toMatchObject([{ status: "settled", by: "Mara" }]);
  });

  it("J3 J4 G10 two processes that confirm at the same moment execute once", async () => {
    const one = sending();
    const two = sending();
    await using first = await planned("first", one);
    await first.turn().call("send", { n: 1 });
    const id = first.planned()[0]?.id ?? "";
    await using second = await planned("second", two);
    const told = await Promise.allSettled([first.confirm(id, mara), second.confirm(id, mara)]);
    expect(one.sent.length + two.sent.length).toBe(1);
    for (const result of told) {
      if (result.status === "fulfilled") expect(result.value).toMatchObject({ status: "ok", value: { n: 1 } });
      else expect(result.reason).toMatchObject({ code: "run_claimed" });
    }
    expect(told.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  it("J4 an action whose process was lost while it executed is unknown, and does not run again", async () => {
    const one = sending();
    await using first = await planned("first", one);
    await first.turn().call("send", { n: 1 });
    const id = first.planned()[0]?.id ?? "";
    await first.confirm(id, mara);
    const runId = first.planned()[0]?.runId ?? "";
    const document = await hosts.store.get(tenant, "session", "chat");
    const body = JSON.parse(document?.body ?? "{}") as { actions: Record<string, unknown>[] };
    const entries = await hosts.entries(runId);
    await hosts.lose(runId, entries.slice(0, entries.findIndex(({ kind }) => kind === "intent") + 1));
    const { outcome: _, ...executing } = { ...body.actions[0], status: "executing" } as Record<string, unknown>;
    const note = { session: "chat", at: 3 };
    await hosts.store.put(tenant, "session", "chat", JSON.stringify({ actions: [executing] }), undefined, note);

    const two = sending();
    await using second = await planned("second", two);
    expect(await second.confirm(id, mara)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect(two.sent).toEqual([]);
    expect(second.planned()).toMatchObject([{ status: "settled", outcome: { status: "unknown" } }]);
    await using third = await planned("first", one);
    expect(await third.confirm(id, mara)).toMatchObject({ status: "unknown" });
    expect(one.sent).toHaveLength(1);
  });

  it("J4 what another run has under way under the same id is unknown, and what it came to is told where it is known", async () => {
    const { sent, send } = sending();
    const agent = await hosts.agent("first", [send]);
    await using session = await agent.session("chat", { tenant });
    await session.turn().call("send", { n: 1 });
    await session.turn().call("send", { n: 2 });
    const [open, done] = session.planned();
    const source = session.record()[0]?.source;
    // Confirmed by others, who did not say so in the session.
    for (const [action, isDone] of [
      [open, false],
      [done, true],
    ] as const) {
      const { id = "", args = "" } = action ?? {};
      const definition = { source, originalName: "send" };
      const requestId = requestIdOf({ runId: "", action: id }, {
        position: "n1",
        offered: { tool: definition },
        asked: { args },
      } as Parameters<typeof requestIdOf>[1]);
      const runId = `run_${id}`;
      const intent: JournalEntry = { kind: "intent", call: 1, attempt: 1, requestId, at: 1 };
      const spans = { queuedMs: 0, ranMs: 0, humanMs: 0, at: 1 };
      const out: JournalEntry = { kind: "out", call: 1, status: "ok", effect: "done", json: '"first"', ...spans };
      const journal = createStoreJournal({ store: hosts.store, owner: "other", claimMs: 1_000, suspendedMs: 1_000 });
      const log = journal.open({ runId, action: id, tenant, session: "x", turn: 1, kind: "call", surface: "", at: 1 });
      log.append(intent);
      if (isDone) log.append(out);
      await log.commit();
      await log.close();
    }
    expect(await session.confirm(open?.id ?? "", mara)).toMatchObject({
      status: "unknown",
      error: { code: "outcome_unknown" },
    });
    expect(await session.confirm(done?.id ?? "", mara)).toMatchObject({ status: "ok", value: "first" });
    expect(sent).toEqual([]);
  });
});
