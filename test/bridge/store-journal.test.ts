import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readEntry, writeEntry } from "../../src/bridge/entry-text.ts";
import type { JournalEntry, RunHeader, RunLog } from "../../src/bridge/journal.ts";
import { createStoreJournal } from "../../src/bridge/store-journal.ts";
import { encrypted } from "../../src/bridge/stores/encrypted.ts";
import { memoryStore } from "../../src/bridge/stores/memory.ts";
import type { Store } from "../../src/bridge/stores/store.ts";
import { Fault } from "../../src/errors.ts";
import { codeOf, hostileTexts } from "../contract/store-suite.ts";
import { key, sqliteHome } from "./stores/homes.ts";

const header: RunHeader = {
  runId: "run_1",
  tenant: "acme",
  session: "chat",
  turn: 1,
  kind: "program",
  surface: "s",
  at: 5,
};

const ask = (call: number, args = "{}"): JournalEntry => ({
  kind: "ask",
  call,
  caller: "program",
  tool: "add",
  source: "",
  args,
  at: 1,
});
const end = (status: string): JournalEntry => ({ kind: "end", status, at: 9 });

const journalOf = (store: Store, owner = "one", claimMs = 60_000): ReturnType<typeof createStoreJournal> =>
  createStoreJournal({ store, owner, claimMs, suspendedMs: 1_000 });

/** A store whose appends wait until they are let go, and that keeps what each wrote. */
function held(store: Store): { store: Store; writes: number[]; let: () => void; fail: (fault: Fault) => void } {
  const writes: number[] = [];
  let waiting: PromiseWithResolvers<void>[] = [];
  const wait = async (count: number): Promise<void> => {
    writes.push(count);
    const gate = Promise.withResolvers<void>();
    waiting.push(gate);
    await gate.promise;
  };
  const all = (tell: (gate: PromiseWithResolvers<void>) => void): void => {
    const gates = waiting;
    waiting = [];
    gates.forEach(tell);
  };
  return {
    writes,
    let: () => all(({ resolve }) => resolve()),
    fail: (fault) => all(({ reject }) => reject(fault)),
    store: {
      ...store,
      async create(run, claim, content) {
        await wait(content?.entries.length ?? 0);
        return store.create(run, claim, content);
      },
      async append(tenant, runId, write) {
        await wait(write.entries.length);
        return store.append(tenant, runId, write);
      },
    },
  };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a log over a store", () => {
  let inner: Store;
  beforeEach(() => {
    inner = memoryStore();
  });
  let log: RunLog | undefined;
  afterEach(() => log?.close());

  it("J2 writes nothing until a commit, and then all that waits, in order and in one step", async () => {
    log = journalOf(inner).open(header);
    log.append(ask(1));
    log.append(ask(2));
    expect(await inner.list({ tenant: "acme", limit: 1 })).toEqual([]);
    await log.commit();
    expect(log.commit()).toBeUndefined();
    log.append(end("failed"));
    await log.commit();
    expect(await inner.load("acme", "run_1")).toMatchObject({ status: "failed", session: "chat", at: 5 });
    expect((await journalOf(inner).read("acme", "run_1")).entries).toEqual([ask(1), ask(2), end("failed")]);
  });

  it("J2 commits that come while one is under way share the next one, and one that it covers waits for it alone", async () => {
    const gate = held(inner);
    log = journalOf(gate.store).open(header);
    log.append(ask(1));
    const first = log.commit();
    expect(log.commit()).toBe(first);
    log.append(ask(2));
    const second = log.commit();
    log.append(ask(3));
    expect(log.commit()).toBe(second);
    gate.let();
    await first;
    await soon();
    gate.let();
    await second;
    expect(gate.writes).toEqual([1, 2]);
    expect(log.commit()).toBeUndefined();
  });

  it("J2 after a commit that failed every later one fails with the same fault, and nothing more is written", async () => {
    const gate = held(inner);
    log = journalOf(gate.store).open(header);
    const fault = new Fault("store_full", "no room");
    log.append(ask(1));
    const first = log.commit();
    log.append(ask(2));
    const second = log.commit();
    gate.fail(fault);
    await expect(first).rejects.toBe(fault);
    await expect(second).rejects.toBe(fault);
    log.append(ask(3));
    await expect(log.commit()).rejects.toBe(fault);
    await expect(log.commit()).rejects.toBe(fault);
    expect(gate.writes).toEqual([1]);
    expect(await codeOf(inner.load("acme", "run_1"))).toBe("run_not_found");
  });

  it("J9 a run is taken over once its holder gave it up or died, and the former holder is fenced", async () => {
    const first = journalOf(inner).open(header);
    first.append(ask(1));
    await first.commit();
    expect(await codeOf(journalOf(inner, "two").resume("acme", "run_1"))).toBe("run_claimed");
    await first.close();
    log = await journalOf(inner, "two").resume("acme", "run_1");
    expect(log.header).toEqual(header);
    expect(log.entries()).toEqual([ask(1)]);
    first.append(ask(2));
    expect(await codeOf(first.commit() ?? Promise.resolve())).toBe("store_fenced");
    log.append(end("completed"));
    await log.commit();
    expect((await inner.load("acme", "run_1")).status).toBe("completed");
  });

  it("J9 a claim is renewed for as long as the log is held", async () => {
    vi.useFakeTimers();
    try {
      const first = journalOf(inner, "one", 300).open(header);
      first.append(ask(1));
      await first.commit();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await codeOf(journalOf(inner, "two").resume("acme", "run_1"))).toBe("run_claimed");
      await first.close();
      log = await journalOf(inner, "two").resume("acme", "run_1");
      expect(vi.getTimerCount()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("J8 a run that was written with a key is told as such where none is given, and is left to others", async () => {
    const sealed = encrypted(inner, key);
    const first = journalOf(sealed).open(header);
    first.append(ask(1, '{"secret":1}'));
    await first.commit();
    await first.close();
    await expect(journalOf(inner).resume("acme", "run_1")).rejects.toMatchObject({
      code: "store_key_wrong",
      message: 'run "run_1" of tenant "acme" was written with a key',
    });
    log = await journalOf(sealed, "two").resume("acme", "run_1");
    expect(log.entries()).toEqual([ask(1, '{"secret":1}')]);
  });

  it("J2 a run of 20,000 entries comes back whole while the host goes on", async () => {
    const home = await sqliteHome();
    const store = home.open();
    const first = journalOf(store).open(header);
    const entries = Array.from({ length: 20_000 }, (_, n) => ask(n, JSON.stringify({ n })));
    entries.forEach((entry) => first.append(entry));
    await first.commit();
    await first.close();
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 0);
    log = await journalOf(store).resume("acme", "run_1");
    clearInterval(ticking);
    expect(log.entries()).toEqual(entries);
    expect(turns).toBeGreaterThan(0);
    await log.close();
    await store.close();
    rmSync(home.path, { force: true });
    await home.drop();
  });
});

describe("an entry as text", () => {
  it("J2 comes back as it was, whatever its long text holds", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostileTexts), fc.json());
    fc.assert(
      fc.property(texts, texts, fc.constantFrom("ask", "intent", "out", "late", "end"), (long, short, kind) => {
        const field = kind === "ask" ? "args" : kind === "intent" ? "ran" : "json";
        const entry = { kind, call: 1, [field]: long, note: short } as unknown as JournalEntry;
        expect(readEntry(writeEntry(entry))).toEqual(entry);
      }),
    );
    const plain: JournalEntry = { kind: "turn", turn: 1, now: 2, seqs: [1, 2] };
    expect(readEntry(writeEntry(plain))).toEqual(plain);
    expect(writeEntry(ask(1, '{"a":-0}'))).toBe(
      '{"kind":"ask","call":1,"caller":"program","tool":"add","source":"","at":1}\n{"a":-0}',
    );
  });
});
