// One test for each rule that makes going on sound: it fails where the rule is broken.
import { setImmediate as moment } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readEntry } from "../../src/bridge/entry-text.ts";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import type { AnyTool, RunResult } from "../../src/index.ts";
import { tool } from "./fixture.ts";
import { tenant, useHosts } from "./stored.ts";

const hosts = useHosts();

interface World {
  /** Arguments of each write that was executed, in order. */
  readonly done: unknown[];
  readonly tools: readonly AnyTool[];
  /** Ends these looks one after the other, once all of them are under way. */
  end(...order: readonly number[]): Promise<void>;
}

/** `look({ n })` ends when it is told to, `now({ n })` at once, `write` is a write that nobody may make twice. */
function world(onWrite: () => unknown = () => undefined): World {
  const done: unknown[] = [];
  const looks = new Map<
    number,
    { readonly begun: PromiseWithResolvers<void>; readonly ends: PromiseWithResolvers<number> }
  >();
  const lookOf = (n: number) => {
    const look = looks.get(n) ?? { begun: Promise.withResolvers<void>(), ends: Promise.withResolvers<number>() };
    looks.set(n, look);
    return look;
  };
  const read = { effects: ["read"], parallelSafe: true } as const;
  return {
    done,
    async end(...order) {
      await Promise.all(order.map((n) => lookOf(n).begun.promise));
      for (const n of order) lookOf(n).ends.resolve(n);
    },
    tools: [
      tool(
        "look",
        (args) => {
          const { begun, ends } = lookOf((args as { n: number }).n);
          begun.resolve();
          return ends.promise;
        },
        read,
      ),
      tool("now", (args) => (args as { n: number }).n, read),
      tool(
        "write",
        async (args) => {
          await onWrite();
          return done.push(args);
        },
        { effects: ["write"] },
      ),
    ],
  };
}

async function run(code: string, { tools }: World, during: () => unknown = () => undefined): Promise<RunResult> {
  const agent = await hosts.agent("first", tools);
  await using session = await agent.session("chat", { tenant });
  const running = session.turn().run(code);
  await during();
  return await running;
}

async function resume(runId: string, { tools }: World): Promise<RunResult> {
  const agent = await hosts.agent("second", tools);
  await using session = await agent.session("chat", { tenant });
  return await session.resume(runId);
}

/** What is left of a run whose host was lost just before it started its last write. */
async function loseBeforeWrite(
  { runId }: RunResult,
  change: (entry: JournalEntry) => JournalEntry = (entry) => entry,
): Promise<void> {
  const entries = await hosts.entries(runId);
  const last = entries.findLastIndex((entry) => entry.kind === "ask" && entry.tool === "write");
  await hosts.lose(runId, entries.slice(0, last).map(change));
}

/** Runs a program that writes once, loses its host just before, and goes on: the write is what it was. */
async function sameAgain(code: string, during: (live: World) => unknown = () => undefined): Promise<unknown> {
  const live = world();
  const first = await run(code, live, () => during(live));
  expect(first.status).toBe("completed");
  await loseBeforeWrite(first);
  const later = world();
  const again = await resume(first.runId, later);
  expect(again).toMatchObject({ status: "completed" });
  expect(later.done).toEqual(live.done);
  return live.done[0];
}

describe("a rule of replay", () => {
  it("J6 one settlement a step: what hangs on the first of two results runs before the second is there, live and again", async () => {
    const written = await sameAgain(`
      const [one, two] = [tools.now({ n: 1 }), tools.now({ n: 2 })];
      const first = await Promise.race([one.then((n) => n).then((n) => n).then(() => "one"), two.then(() => "two")]);
      await tools.write({ first });`);
    expect(written).toEqual({ first: "one" });
  });

  it("J6 the order of settlements is kept, also where it is not that of asking", async () => {
    const code = `const order = [];
      await Promise.all([1, 2, 3].map((n) => tools.look({ n }).then((got) => order.push(got))));
      await tools.write({ order });`;
    const written = await sameAgain(code, (live) => live.end(3, 1, 2));
    expect(written).toEqual({ order: [3, 1, 2] });
  });

  it("J6 an order that was lost is noticed, and nothing is executed", async () => {
    const code = `const order = [];
      await Promise.all([1, 2].map((n) => tools.look({ n }).then((got) => order.push(got))));
      console.log(order);
      await tools.now({ n: 5 });
      await tools.write({ order });`;
    const live = world();
    const first = await run(code, live, () => live.end(2, 1));
    await loseBeforeWrite(first, (entry) =>
      entry.kind === "turn" && entry.seqs.length === 2 ? { ...entry, seqs: entry.seqs.toReversed() } : entry,
    );
    const entries = await hosts.entries(first.runId);
    const singles = entries.filter((entry) => entry.kind === "turn" && entry.seqs.length === 1);
    if (singles.length > 2) {
      // They came in two messages.
      const [one, two] = singles as (JournalEntry & { kind: "turn" })[];
      const swapped = entries.map((entry) =>
        entry === one ? { ...one, seqs: two?.seqs ?? [] } : entry === two ? { ...two, seqs: one?.seqs ?? [] } : entry,
      );
      await hosts.lose(first.runId, swapped);
    }
    const later = world();
    expect(await resume(first.runId, later)).toMatchObject({ status: "failed", error: { code: "replay_diverged" } });
    expect(later.done).toEqual([]);
  });

  it("J6 the time is that of the turn: it is the same again, and one that was not recorded is noticed", async () => {
    const code =
      "await tools.now({ n: 1 }); const at = Date.now(); console.log(at); await tools.now({ at }); await tools.write({ at });";
    const { at } = (await sameAgain(code)) as { at: number };
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
    const first = await run(code, world());
    await loseBeforeWrite(first, (entry) => (entry.kind === "turn" ? { ...entry, now: entry.now + 1 } : entry));
    const later = world();
    expect(await resume(first.runId, later)).toMatchObject({ status: "failed", error: { code: "replay_diverged" } });
    expect(later.done).toEqual([]);
  });

  it("J6 randomness and ids are the same again", async () => {
    const written = (await sameAgain(
      "await tools.now({ n: 1 }); await tools.write({ a: Math.random(), b: crypto.randomUUID(), c: [...crypto.getRandomValues(new Uint8Array(4))] });",
    )) as { a: number };
    expect(written.a).toBeGreaterThan(0);
  });

  it("J6 a recorded result comes when it came, not as soon as it is asked for", async () => {
    const code = `const order = [];
      const slow = tools.look({ n: 1 }).then(() => order.push("slow"));
      await tools.now({ n: 2 }); order.push("first");
      await tools.now({ n: 3 }); order.push("second");
      await tools.now({ n: 4, order: [...order] });
      await slow;
      await tools.write({ order });`;
    const live = world();
    const ended = live.tools.map((one): AnyTool =>
      one.name === "now"
        ? {
            ...one,
            execute: async (args: unknown) => {
              const { n } = args as { n: number };
              if (n === 4) await live.end(1);
              return n;
            },
          }
        : one,
    );
    const first = await run(code, { ...live, tools: ended });
    await loseBeforeWrite(first);
    const later = world();
    expect(await resume(first.runId, later)).toMatchObject({ status: "completed" });
    expect(later.done).toEqual(live.done);
    expect(later.done).toEqual([{ order: ["first", "second", "slow"] }]);
  });

  it("J4 J6 when a write starts, its start and all that led to it are durable: the turns too", async () => {
    let durable: readonly JournalEntry[] = [];
    const { store } = hosts;
    // A disk takes its time.
    const later = async <T>(write: () => Promise<T>): Promise<T> => {
      for (let turns = 0; turns < 5; turns += 1) await moment();
      return write();
    };
    hosts.store = {
      ...store,
      create: (...given) => later(() => store.create(...given)),
      append: (...given) => later(() => store.append(...given)),
    };
    const watching = world(async () => {
      const [{ runId } = { runId: "" }] = await hosts.store.list({ tenant, limit: 1 });
      durable = (await hosts.store.load(tenant, runId)).entries.map(readEntry);
    });
    await run("const n = await tools.now({ n: 1 }); await tools.write({ n });", watching);
    const kinds = durable.map((entry) => ("call" in entry ? `${entry.kind} ${entry.call}` : entry.kind));
    expect(kinds.at(-1)).toBe("intent 2");
    expect(kinds).toContain("out 1");
    expect(kinds.indexOf("turn")).toBeGreaterThan(kinds.indexOf("out 1"));
    expect(kinds.indexOf("turn")).toBeLessThan(kinds.indexOf("ask 2"));
  });

  it("J4 what a write came to is durable although the program waits for something else", async () => {
    const live = world();
    let runId = "";
    await run("await Promise.all([tools.write({ n: 1 }), tools.look({ n: 1 })])", live, async () => {
      await expect
        .poll(async () => {
          [{ runId = "" } = {}] = await hosts.store.list({ tenant, limit: 1 });
          return runId === "" ? [] : (await hosts.entries(runId)).map(({ kind }) => kind);
        })
        .toContain("out");
      await live.end(1);
    });
    expect(live.done).toEqual([{ n: 1 }]);
  });

  it("J4 a write that had started is not started again: it is unknown, told as such, and stays so for this run and the next", async () => {
    const code = `const outcomes = [];
      for (let time = 0; time < 3; time++) {
        await tools.write({ n: 1 }).then(() => outcomes.push("ok"), (error) => outcomes.push(error.code));
      }
      await tools.write({ n: 2 });
      throw new Error(outcomes.join());`;
    const first = await run(code, world());
    const entries = await hosts.entries(first.runId);
    await hosts.lose(first.runId, entries.slice(0, entries.findIndex(({ kind }) => kind === "intent") + 1));
    const later = world();
    const again = await resume(first.runId, later);
    expect(again).toMatchObject({
      status: "failed",
      error: { message: "outcome_unknown,outcome_unknown,outcome_unknown" },
    });
    expect(later.done).toEqual([{ n: 2 }]);
    expect(again.toModel()).toContain("- unknown whether it took effect (check before repeating): #1 write");

    const agent = await hosts.agent("first", later.tools);
    await using session = await agent.session("chat", { tenant });
    const next = await session
      .turn()
      .run(
        "return [await tools.write({ n: 1 }).catch((error) => error.code), await tools.write({ n: 1 }).catch((error) => error.code)]",
        { continue: first.runId },
      );
    expect(next).toMatchObject({ status: "completed", value: ["outcome_unknown", "outcome_unknown"] });
    expect(later.done).toEqual([{ n: 2 }]);
  });

  it("J6 a write whose outcome is durable is not made again, whether the program had been told of it or not", async () => {
    const first = await run("const n = await tools.write({ n: 1 }); return [n]", world());
    const entries = await hosts.entries(first.runId);
    const out = entries.findIndex(({ kind }) => kind === "out") + 1;
    for (const length of [out, out + 1]) {
      await hosts.lose(first.runId, entries.slice(0, length));
      const later = world();
      expect(await resume(first.runId, later)).toMatchObject({ status: "completed", value: [1] });
      expect(later.done).toEqual([]);
    }
  });

  it("J6 X13 nothing is executed before all that was recorded has been asked again", async () => {
    const first = await run("await tools.now({ n: 1 }); await tools.write({ n: 1 }); return 1", world());
    const entries = await hosts.entries(first.runId);
    const extra: JournalEntry = {
      kind: "ask",
      call: 3,
      seq: 3,
      caller: "program",
      tool: "write",
      source: "",
      args: '{"n":7}',
      at: 1,
    };
    const second = entries.findIndex((entry) => entry.kind === "intent" && entry.call === 2);
    await hosts.lose(first.runId, [...entries.slice(0, second), extra]);
    const later = world();
    expect(await resume(first.runId, later)).toMatchObject({
      status: "failed",
      error: {
        code: "replay_diverged",
        message: expect.stringContaining('it did not ask again for write with {"n":7}, which the record holds'),
      },
    });
    expect(later.done).toEqual([]);
  });
});
