// Programs that were lost with their host at every place of their log, each brought to its end by another host.
import { setImmediate as moment } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyOfCall } from "../../src/bridge/call-key.ts";
import { readEntry, writeEntry } from "../../src/bridge/entry-text.ts";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import {
  type Agent,
  createDeployment,
  createRuntime,
  memoryStore,
  type Runtime,
  type RunResult,
  type Store,
  ToolError,
} from "../../src/index.ts";
import { randomProgram } from "../runtime/random-programs.ts";

const tenant = "test";

/** What happened outside, by request id, and who may be asked twice under one. */
interface World {
  readonly effects: Map<string, number>;
  executed: number;
}

let world: World = { effects: new Map(), executed: 0 };
let store: Store = memoryStore();
let runtime: Runtime;
let agent: Agent;

/** The store of the moment, as the runtime sees it. */
const through: Store = new Proxy(store, {
  get: (_, name: keyof Store) => (name === "isDurable" ? true : store[name]),
});

function effect(requestId: string, isIdempotent: boolean): void {
  const times = world.effects.get(requestId) ?? 0;
  world.effects.set(requestId, isIdempotent ? 1 : times + 1);
}

const writes: ReadonlyMap<string, boolean> = new Map([
  ["write", false],
  ["put", true],
]);

beforeAll(async () => {
  const deployment = createDeployment();
  const common = { description: "Returns what it came to", inputSchema: { type: "object" } } as const;
  const answer = (): unknown => {
    world.executed += 1;
    if (world.executed % 7 === 0) throw new ToolError("not this time", { code: "busy" });
    return { executed: world.executed };
  };
  deployment.tool({
    ...common,
    name: "look",
    effects: ["read"],
    parallelSafe: true,
    async execute() {
      for (let ticks = world.executed % 4; ticks > 0; ticks -= 1) await moment();
      return answer();
    },
  });
  for (const [name, idempotent] of writes) {
    deployment.tool({
      ...common,
      name,
      effects: ["write"],
      idempotent,
      async execute(_, { requestId }) {
        await moment();
        effect(requestId, idempotent);
        await moment();
        world.executed += 1;
        return { executed: world.executed };
      },
    });
  }
  deployment.tool({
    ...common,
    name: "relay",
    effects: ["write"],
    idempotent: true,
    execute: (args, context) => context.call("write", args),
  });
  runtime = await createRuntime({ store: through, check: "off", processes: { warm: 2, max: 4 } });
  agent = await deployment.agent("test", { form: "code", runtime });
});

afterAll(() => runtime.close());

/** As a program of an agent, with one of the tools for each number that it asks with. */
const codeOf = (js: string): string =>
  `return await ${js.replace("tools.work({ n, seen })", "tools[['write', 'look', 'put', 'write', 'relay'][n % 5]]({ n, seen })")}();`;

async function withSession<T>(work: (session: Awaited<ReturnType<Agent["session"]>>) => Promise<T>): Promise<T> {
  await using session = await agent.session("only", { tenant });
  return await work(session);
}

async function entriesOf(runId: string): Promise<readonly JournalEntry[]> {
  return (await store.load(tenant, runId)).entries.map(readEntry);
}

/** A store that holds a run as far as this. */
async function keep(runId: string, header: string, entries: readonly JournalEntry[]): Promise<void> {
  store = memoryStore();
  const at = Date.now();
  const run = { tenant, runId, session: "only", at, header };
  const { epoch } = await store.create(
    run,
    { owner: "lost", ttlMs: 1, now: at },
    { entries: entries.map(writeEntry), at },
  );
  await store.release(tenant, runId, epoch);
}

/** Lengths of beginnings of a log: some of all that there are, and more of those that end where a write had just begun. */
function placesOf(entries: readonly JournalEntry[]): readonly number[] {
  const begun = entries.flatMap((entry, index) =>
    entry.kind === "intent" && entry.requestId !== undefined ? [index + 1] : [],
  );
  const any = entries.map((_, index) => index + 1).slice(0, -1);
  const some = (lengths: readonly number[], most: number): readonly number[] =>
    lengths.filter((_, index) => index % Math.ceil(lengths.length / most) === 0);
  return [...new Set([...some(begun, 8), ...some(any, 8)])];
}

const startedIn = (entries: readonly JournalEntry[]): ReadonlyMap<string, number> =>
  new Map(
    entries.flatMap((entry) =>
      entry.kind === "intent" && entry.requestId !== undefined ? [[entry.requestId, entry.call] as const] : [],
    ),
  );

const outcomesIn = (entries: readonly JournalEntry[]): ReadonlyMap<number, JournalEntry & { kind: "out" }> =>
  new Map(entries.flatMap((entry) => (entry.kind === "out" ? [[entry.call, entry] as const] : [])));

/** The world as the lost host left it: what has an outcome was done, of what had only begun nobody knows. */
function worldAt(entries: readonly JournalEntry[], luck: () => boolean): World {
  const outcomes = outcomesIn(entries);
  const asks = new Map(entries.flatMap((entry) => (entry.kind === "ask" ? [[entry.call, entry.tool] as const] : [])));
  const effects = new Map<string, number>();
  for (const [requestId, call] of startedIn(entries)) {
    if (!writes.has(asks.get(call) ?? "")) continue;
    const out = outcomes.get(call);
    if (out === undefined ? luck() : out.effect === "done") effects.set(requestId, 1);
  }
  return { effects, executed: entries.length };
}

const endOf = (run: RunResult): unknown =>
  run.status === "completed" ? { value: run.value } : run.status === "suspended" ? run.pending : { error: run.error };

/** What is asked for again under the arguments of a write of which it is unknown whether it took effect. */
function startedThoughUnknown(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const keys = new Map<number, string>();
  const unknown = new Set<string>();
  return entries.filter((entry) => {
    if (entry.kind === "ask" && entry.tool === "write")
      keys.set(entry.call, keyOfCall(entry.source, entry.tool, entry.args));
    const key = "call" in entry ? keys.get(entry.call) : undefined;
    if (key === undefined) return false;
    if (entry.kind === "out" && entry.effect === "unknown") unknown.add(key);
    return entry.kind === "intent" && unknown.has(key);
  });
}

function expectOnce(run: RunResult, entries: readonly JournalEntry[]): void {
  expect([...world.effects.values()].filter((times) => times > 1)).toEqual([]);
  const outcomes = outcomesIn(entries);
  for (const [requestId, call] of startedIn(entries)) {
    const told = outcomes.get(call)?.effect;
    expect(told, `call #${call} has an outcome`).toBeDefined();
    if (run.calls[call - 1]?.tool === "relay" || told === "unknown") continue;
    const again = entries.some(
      (entry) =>
        entry.kind === "intent" && entry.requestId === requestId && outcomes.get(entry.call)?.effect === "done",
    );
    expect(world.effects.get(requestId) ?? 0, `what #${call} did`).toBe(told === "done" || again ? 1 : 0);
  }
  expect(startedThoughUnknown(entries)).toEqual([]);
  const text = run.toModel({ maxTokens: 1_000_000 });
  const line = /unknown whether it took effect \(check before repeating\): (.*)/.exec(text)?.[1] ?? "";
  for (const { seq, effect: what } of run.calls) if (what === "unknown") expect(line).toMatch(new RegExp(`#${seq}\\b`));
}

describe("a run whose host was lost", () => {
  it("J4 J6 X8 goes on from every place of its log: each write at most once, what is unknown is told, and all as in one unbroken run", async () => {
    let resumed = 0;
    let unknown = 0;
    await fc.assert(
      fc.asyncProperty(randomProgram, fc.infiniteStream(fc.boolean()), async (js, coins) => {
        const luck = (): boolean => coins.next().value === true;
        store = memoryStore();
        world = { effects: new Map(), executed: 0 };
        const first = await withSession((session) => session.turn().run(codeOf(js)));
        const { runId } = first;
        const { header } = await store.load(tenant, runId);
        const whole = await entriesOf(runId);
        expectOnce(first, whole);

        for (const length of placesOf(whole)) {
          const known = whole.slice(0, length);
          await keep(runId, header, known);
          world = worldAt(known, luck);
          const run = await withSession((session) => session.resume(runId));
          const entries = await entriesOf(runId);
          expect(entries.slice(0, length)).toEqual(known);
          expect(entries.at(-1)?.kind).toBe("end");
          expectOnce(run, entries);
          resumed += 1;
          unknown += run.calls.filter((call) => call.effect === "unknown").length;

          // The same settlements in one go.
          await keep(runId, header, entries.slice(0, -1));
          const { effects, executed } = world;
          world = { effects: new Map(effects), executed };
          const again = await withSession((session) => session.resume(runId));
          expect(endOf(again)).toEqual(endOf(run));
          expect(again.console).toEqual(run.console);
          expect(again.calls).toEqual(run.calls);
          expect(world).toEqual({ effects, executed });
        }
      }),
      { numRuns: 15 },
    );
    expect(resumed).toBeGreaterThan(50);
    expect(unknown).toBeGreaterThan(0);
  }, 60_000);
});
