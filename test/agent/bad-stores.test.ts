import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import { type Code, Fault, type Store } from "../../src/index.ts";
import { tool } from "./fixture.ts";
import { tenant, useHosts } from "./stored.ts";

const hosts = useHosts();
const program = "const a = await tools.write({ n: 1 }); const b = await tools.write({ n: 2 }); return [a, b]";

function world() {
  const done: number[] = [];
  const write = tool("write", (args) => done.push((args as { n: number }).n), { effects: ["write"] });
  return { done, write };
}

/** Writes go well so often, and then never again. */
function failing(store: Store, well: number, fault: Fault): Store {
  let left = well;
  const gate = <T>(go: () => Promise<T>): Promise<T> => (left-- > 0 ? go() : Promise.reject(fault));
  return {
    ...store,
    create: (...given) => gate(() => store.create(...given)),
    append: (...given) => gate(() => store.append(...given)),
  };
}

const faults: readonly (readonly [Code, string])[] = [
  ["store_full", "the store has no room"],
  ["store_read_only", "the store cannot be written"],
  ["store_locked", "somebody holds the store"],
  ["store_corrupt", "the store is damaged"],
  ["store_newer", "a newer version wrote the store"],
  ["store_unavailable", "the store is gone"],
];

describe("a store that fails", () => {
  it.each(faults)(
    "J4 J5 %s before a write: it is refused with that, and nothing is executed",
    async (code, message) => {
      const { done, write } = world();
      const agent = await hosts.agent("first", [write]);
      hosts.store = failing(hosts.store, 0, new Fault(code, message));
      const run = await agent.run(
        "try { await tools.write({ n: 1 }) } catch (error) { return [error.code, error.message, error.status] }",
        {
          tenant,
        },
      );
      expect(run).toMatchObject({ status: "completed", value: [code, message, "refused"] });
      expect(run.warnings).toContain(`the end of this run could not be written down: ${message}`);
      expect(run.calls).toMatchObject([{ status: "refused", effect: "none", failure: { code } }]);
      expect(done).toEqual([]);
    },
  );

  it("J4 J6 gone in the middle: what was done stays done, the next write does not begin, and the run goes on elsewhere", async () => {
    const { done, write } = world();
    const agent = await hosts.agent("first", [write]);
    const { store } = hosts;
    // The first intent and the first outcome.
    hosts.store = failing(store, 2, new Fault("store_unavailable", "the store is gone"));
    await using session = await agent.session("chat", { tenant });
    const run = await session.turn().run(program);
    expect(run).toMatchObject({ status: "failed", error: { code: "program_error", message: "the store is gone" } });
    expect(done).toEqual([1]);
    hosts.store = store;
    const other = await hosts.agent("second", [write]);
    await using again = await other.session("chat", { tenant });
    expect(await again.resume(run.runId)).toMatchObject({ status: "completed", value: [1, 2] });
    expect(done).toEqual([1, 2]);
  });

  it("J5 a direct call that cannot be written down is refused with what the store said", async () => {
    const { done, write } = world();
    const agent = await hosts.agent("first", [write]);
    hosts.store = failing(hosts.store, 0, new Fault("store_full", "no room", { hint: "make room" }));
    await using session = await agent.session("chat", { tenant });
    expect(await session.turn().call("write", { n: 1 })).toMatchObject({
      status: "refused",
      error: { code: "store_full", message: "no room", hint: "make room" },
    });
    expect(done).toEqual([]);
  });

  it.each(faults)(
    "J5 J6 %s while a run is taken over: resume says so, and the run stays as it was",
    async (code, message) => {
      const { done, write } = world();
      const runId = await half(write);
      const { store } = hosts;
      hosts.store = { ...store, load: async () => Promise.reject(new Fault(code, message)) };
      const agent = await hosts.agent("second", [write]);
      await using session = await agent.session("chat", { tenant });
      await expect(session.resume(runId)).rejects.toMatchObject({ code, message });
      hosts.store = store;
      done.length = 0;
      expect(await session.resume(runId)).toMatchObject({ status: "completed" });
      expect(done).toEqual([2]);
    },
  );
});

/** A run that was lost after its first write. */
async function half(
  write: Parameters<typeof hosts.agent>[1] extends readonly (infer T)[] | undefined ? T : never,
  change: (entries: readonly JournalEntry[]) => readonly JournalEntry[] = (entries) => entries,
): Promise<string> {
  const agent = await hosts.agent("first", [write]);
  await using session = await agent.session("chat", { tenant });
  const { runId } = await session.turn().run(program);
  const entries = await hosts.entries(runId);
  const second = entries.findIndex((entry) => entry.kind === "ask" && entry.call === 2);
  await hosts.lose(runId, change(entries.slice(0, second)));
  return runId;
}

describe("a run that cannot go on", () => {
  it("J6 with other tools, or on another engine: nothing is executed, and it goes on once they are there again, or by force", async () => {
    const { done, write } = world();
    const runId = await half(write);
    const extra = tool("extra", () => 1);
    const agent = await hosts.agent("second", [write, extra]);
    await using session = await agent.session("chat", { tenant });
    done.length = 0;
    expect(await session.resume(runId)).toMatchObject({ status: "failed", error: { code: "surface_changed" } });
    const header = await hosts.header(runId);
    const engine = { ...(header.program?.engine as { v8: string }), v8: "1.0" };
    const entries = await hosts.entries(runId);
    await hosts.lose(runId, entries, { ...header, program: { ...header.program, engine } } as typeof header);
    const right = await hosts.agent("second", [write]);
    await using again = await right.session("chat", { tenant });
    expect(await again.resume(runId)).toMatchObject({
      status: "failed",
      error: { code: "engine_changed", message: expect.stringContaining("v8 was 1.0") },
    });
    expect(done).toEqual([]);
    expect(await hosts.entries(runId)).toEqual(entries);
    expect(await again.resume(runId, {}, { force: true })).toMatchObject({ status: "completed", value: [1, 1] });
    expect(done).toEqual([2]);
  });

  it("J6 whose record was edited: it names what is asked and what is recorded, executes nothing, and stays resumable", async () => {
    const { done, write } = world();
    const edited = (entries: readonly JournalEntry[]): readonly JournalEntry[] =>
      entries.map((entry) => (entry.kind === "ask" ? { ...entry, args: '{"n":9}' } : entry));
    const runId = await half(write, edited);
    done.length = 0;
    const agent = await hosts.agent("second", [write]);
    await using session = await agent.session("chat", { tenant });
    const before = await hosts.entries(runId);
    for (let time = 1; time <= 2; time += 1) {
      expect(await session.resume(runId)).toMatchObject({
        status: "failed",
        error: {
          code: "replay_diverged",
          message: expect.stringContaining('it asked for write with {"n":1} where the record has write with {"n":9}'),
        },
      });
    }
    expect(done).toEqual([]);
    expect(await hosts.entries(runId)).toEqual(before);
    expect((await hosts.store.list({ tenant, limit: 1 }))[0]).not.toHaveProperty("claim");
  });

  it("J6 whose program is another: nothing is executed", async () => {
    const { done, write } = world();
    const runId = await half(write);
    const header = await hosts.header(runId);
    const js = header.program?.js.replace("n: 1", "n: 7");
    await hosts.lose(runId, await hosts.entries(runId), {
      ...header,
      program: { ...header.program, js },
    } as typeof header);
    done.length = 0;
    const agent = await hosts.agent("second", [write]);
    await using session = await agent.session("chat", { tenant });
    expect(await session.resume(runId)).toMatchObject({ status: "failed", error: { code: "replay_diverged" } });
    expect(done).toEqual([]);
  });

  it("J6 J9 of another session or tenant, or that there is not, is not found and given up at once", async () => {
    const { write } = world();
    const runId = await half(write);
    const agent = await hosts.agent("second", [write]);
    await using other = await agent.session("other", { tenant });
    await expect(other.resume(runId)).rejects.toMatchObject({ code: "run_not_found" });
    await using foreign = await agent.session("chat", { tenant: "foreign" });
    await expect(foreign.resume(runId)).rejects.toMatchObject({ code: "run_not_found" });
    await expect(other.resume("run_none")).rejects.toMatchObject({ code: "run_not_found" });
    expect((await hosts.store.list({ tenant, limit: 1 }))[0]).not.toHaveProperty("claim");
  });

  it("J9 while another process works on it is claimed, and nothing is executed", async () => {
    const { done, write } = world();
    const runId = await half(write);
    done.length = 0;
    await hosts.store.claim(tenant, runId, { owner: "other", ttlMs: 60_000, now: Date.now() });
    const agent = await hosts.agent("second", [write]);
    await using session = await agent.session("chat", { tenant });
    await expect(session.resume(runId)).rejects.toMatchObject({ code: "run_claimed" });
    expect(done).toEqual([]);
  });
});

describe("answers that do not fit", () => {
  async function suspended() {
    const { done, write } = world();
    const agent = await hosts.agent("first", [write], { policy: () => "ask" });
    const session = await agent.session("chat", { tenant, approvals: "later" });
    const run = await session.turn().run("return await tools.write({ n: 1 })");
    if (run.status !== "suspended") throw new Error(run.toModel());
    return { done, session, run, callId: run.pending[0]?.callId ?? "" };
  }

  it("G11 an unknown call or what is no answer: told, nothing is executed, and the run goes on waiting", async () => {
    const { done, session, run, callId } = await suspended();
    await expect(session.resume(run.runId, { [`${run.runId}.9`]: true })).rejects.toMatchObject({
      code: "approval_not_found",
      hint: `these calls wait for one: ${callId} (write)`,
    });
    await expect(session.resume(run.runId, { [callId]: true, nobody: true })).rejects.toMatchObject({
      code: "approval_not_found",
    });
    expect(await session.resume(run.runId)).toMatchObject({ status: "suspended", pending: [{ callId }] });
    expect(done).toEqual([]);
    expect(await session.resume(run.runId, { [callId]: true })).toMatchObject({ status: "completed", value: 1 });
    await session[Symbol.asyncDispose]();
  });

  it("J4 G11 a second answer: the first stands, and nothing runs again", async () => {
    const { done, session, run, callId } = await suspended();
    await session.resume(run.runId, { [callId]: true });
    expect(await session.resume(run.runId, { [callId]: false })).toMatchObject({ status: "completed", value: 1 });
    expect(done).toEqual([1]);
    await session[Symbol.asyncDispose]();
  });

  it("G11 J8 one that comes too late ends the run, executes nothing, and the next program can continue it", async () => {
    const { done, session, run, callId } = await suspended();
    const { store } = hosts;
    hosts.store = {
      ...store,
      load: async (...given) => ({ ...(await store.load(...given)), expiresAt: Date.now() - 1 }),
    };
    expect(await session.resume(run.runId, { [callId]: true })).toMatchObject({
      status: "failed",
      error: { code: "approval_expired", message: `${run.runId} was suspended, and nobody answered in time` },
      calls: [{ status: "cancelled", effect: "none" }],
    });
    hosts.store = store;
    expect(done).toEqual([]);
    const next = await session.turn().run("return 1", { continue: run.runId });
    expect(next).toMatchObject({ status: "completed", value: 1 });
    await session[Symbol.asyncDispose]();
  });

  it("G11 J8 one that comes after the run has expired and was purged finds no run", async () => {
    const { done, session, run, callId } = await suspended();
    await hosts.store.purge({ tenant, before: 1, now: Date.now() + 8 * 86_400_000 });
    await expect(session.resume(run.runId, { [callId]: true })).rejects.toMatchObject({ code: "run_not_found" });
    expect(done).toEqual([]);
    await session[Symbol.asyncDispose]();
  });
});
