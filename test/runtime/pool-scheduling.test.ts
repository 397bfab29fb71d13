import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fault } from "../../src/errors.ts";
import { bounds } from "../../src/limits.ts";
import { createPool, type Pool } from "../../src/runtime/pool.ts";
import type { Sandbox } from "../../src/runtime/sandbox.ts";
import { type FakeSandbox, type FakeSandboxes, fakeSandboxes, settled } from "./fake-sandboxes.ts";

interface World {
  readonly pool: Pool;
  readonly fakes: FakeSandboxes;
  /** Those in this state now. */
  in(state: FakeSandbox["state"]): FakeSandbox[];
  /** Takes a process, which must be there, and runs a program in it. */
  take(tenant: string, program?: string): Promise<FakeSandbox>;
}

function open(options: { warm?: number; max: number; queue?: number }, startsAtOnce = 2, quick = true): World {
  const fakes = fakeSandboxes(startsAtOnce, quick);
  const pool = createPool({ nodePath: "", childPath: "", memoryMb: 64, warm: 0, queue: 1_000, ...options }, fakes);
  return {
    pool,
    fakes,
    in: (state) => fakes.opened.filter((sandbox) => sandbox.state === state),
    async take(tenant, program) {
      const sandbox = (await pool.acquire(tenant)) as FakeSandbox;
      sandbox.run(program);
      return sandbox;
    },
  };
}

/** Lets time pass in steps, so that what is due and what it leads to happens in its order. */
async function pass(ms: number): Promise<void> {
  await settled();
  for (let left = ms; left > 0; left -= Math.min(left, 5)) {
    vi.advanceTimersByTime(Math.min(left, 5));
    await settled();
  }
}

const failure = (promise: Promise<unknown>): Promise<Fault | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => error as Fault,
  );

/** Writes down who was served, in order. */
function ask(world: World, served: string[], tenant: string, name = tenant, resumed = false): Promise<Sandbox> {
  const asked = world.pool.acquire(tenant, undefined, [], { resumed });
  asked.then(
    (sandbox) => {
      (sandbox as FakeSandbox).run(name);
      return served.push(name);
    },
    () => undefined,
  );
  return asked;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe("spares", () => {
  it("X18 one that is taken is replaced without being asked for, after its taker went on", async () => {
    const world = open({ warm: 1, max: 4 });
    await settled();
    expect(world.fakes.opened.length).toBe(1);
    await world.take("a");
    expect(world.fakes.opened.length).toBe(1);
    await pass(bounds.spareDelayMs);
    expect(world.fakes.opened.length).toBe(2);
    expect(await world.take("b")).toBe(world.fakes.opened[1]);
  });

  it("X18 no more processes start at once than was said, whoever asks for them", async () => {
    const world = open({ warm: 3, max: 8 }, 2, false);
    const served: string[] = [];
    for (const tenant of ["a", "b", "c", "d", "e"]) void ask(world, served, tenant);
    const starting: number[] = [];
    while (served.length < 5) {
      starting.push(world.in("starting").length);
      await world.fakes.settle();
    }
    expect(starting).toEqual([2, 2, 1]);
    expect(served).toEqual(["a", "b", "c", "d", "e"]);
    await pass(bounds.spareDelayMs);
    expect(world.in("starting").length).toBe(2);
  });

  it("X18 they follow the number of tenants that newly ask, and shrink again; then no timer is left", async () => {
    const world = open({ warm: 1, max: 16 });
    await settled();
    for (const tenant of ["a", "b", "c", "d", "e", "f", "g"]) {
      world.pool.release(await world.take(tenant), true);
      await pass(20);
    }
    const before = world.fakes.opened.length;
    // As many again find spares at once: none of them is started by being asked for.
    for (const tenant of ["h", "i", "j", "k", "l", "m"]) {
      const asked = await Promise.race([world.pool.acquire(tenant), settled()]);
      expect(world.fakes.opened.slice(0, before)).toContain(asked);
      world.pool.release(asked as Sandbox, true);
    }
    await pass(5 * bounds.idleMs);
    expect([world.pool.size, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("X18 where more tenants take turns than there are processes, idle ones give way to spares", async () => {
    const world = open({ max: 4 });
    for (let turn = 0; turn < 12; turn += 1) {
      world.pool.release(await world.take(`tenant ${turn}`), true);
      await pass(50);
    }
    const { length } = world.fakes.opened;
    const spares = world.fakes.opened.filter(({ alive, programs }) => alive && programs === 0);
    expect([world.pool.size, spares.length]).toEqual([4, 4]);
    expect(spares).toContain(await world.take("another"));
    expect(world.fakes.opened.length).toBe(length);
  });

  it("X18 where there is a process for each tenant, each keeps its own", async () => {
    const world = open({ max: 4 });
    const own = new Map<string, FakeSandbox>();
    for (let turn = 0; turn < 40; turn += 1) {
      const tenant = `tenant ${turn % 4}`;
      const sandbox = await world.take(tenant);
      expect(sandbox).toBe(own.get(tenant) ?? sandbox);
      own.set(tenant, sandbox);
      world.pool.release(sandbox, true);
      await pass(50);
    }
    expect(world.fakes.opened.length).toBe(4);
  });
});

describe("room for others", () => {
  it("X18 the process that is idle for longest ends first, one that its tenant came back to later", async () => {
    const world = open({ max: 3 });
    const often = await world.take("often");
    world.pool.release(often, true);
    await pass(10);
    for (const tenant of ["often", "once", "last"]) {
      world.pool.release(await world.take(tenant), true);
      await pass(10);
    }
    const [, once, last] = world.fakes.opened;
    await world.take("new");
    expect([often.alive, once?.alive, last?.alive]).toEqual([true, false, true]);
  });

  it("X18 a process whose tenant is not the next is ended before it is renewed", async () => {
    const world = open({ max: 1 }, 1, false);
    const served: string[] = [];
    const first = ask(world, served, "a");
    await world.fakes.settle();
    for (const tenant of ["a", "b"]) void ask(world, served, tenant, `${tenant} again`);
    world.pool.release(await first, true);
    expect(world.fakes.opened.map(({ state }) => state)).toEqual(["dying"]);
    await world.fakes.settle();
    expect(world.fakes.opened.map(({ state }) => state)).toEqual(["gone", "starting"]);
    await world.fakes.settle();
    expect(served).toEqual(["a", "b again"]);
  });

  it("X18 no more are ended at a time than can start at a time", async () => {
    const world = open({ max: 3 }, 1, false);
    const served: string[] = [];
    for (const tenant of ["a", "b", "c"]) {
      const asked = ask(world, served, tenant);
      await world.fakes.settle();
      world.pool.release(await asked, true);
      await world.fakes.settle();
    }
    for (const tenant of ["d", "e"]) void ask(world, served, tenant);
    const states: string[][] = [];
    while (served.length < 5) {
      states.push(world.fakes.opened.map(({ state }) => state));
      await world.fakes.settle();
    }
    expect(states).toEqual([
      ["dying", "running", "running"],
      ["gone", "running", "running", "starting"],
      ["gone", "dying", "running", "running"],
      ["gone", "gone", "running", "running", "starting"],
    ]);
  });

  it("X18 where two tenants with processes both wait, each goes on with its own", async () => {
    const world = open({ max: 4 }, 1);
    const held = [await world.take("a"), await world.take("b"), await world.take("a"), await world.take("b")];
    const served: string[] = [];
    for (const number of [1, 2, 3])
      for (const tenant of ["a", "b"]) void ask(world, served, tenant, `${tenant}${number}`);
    for (const sandbox of held) world.pool.release(sandbox, true);
    await pass(10);
    expect([served, world.fakes.opened.length]).toEqual([["a1", "b1", "a2", "b2"], 4]);
    // A tenant that has none is another matter.
    void ask(world, served, "c");
    world.pool.release(held[0] as Sandbox, true);
    await pass(10);
    expect([served.slice(4), held.map(({ alive }) => alive)]).toEqual([["c"], [false, true, true, true]]);
  });

  it("X18 what is idle meanwhile serves its own tenant, though others wait for longer", async () => {
    const world = open({ max: 2 }, 1, false);
    const served: string[] = [];
    const first = ask(world, served, "a");
    await world.fakes.settle();
    for (const tenant of ["b", "c", "d"]) void ask(world, served, tenant);
    void ask(world, served, "a", "a again");
    world.pool.release(await first, true);
    await settled();
    world.fakes.opened[0]?.advance();
    await settled();
    expect(served).toEqual(["a", "a again"]);
  });

  it("X18 starts that fail again and again are told to all who wait; who asks later makes it be tried again", async () => {
    const world = open({ max: 2 }, 1, false);
    await world.fakes.settle();
    await world.take("held");
    const waiting = [failure(world.pool.acquire("a")), failure(world.pool.acquire("b"))];
    for (let start = 1; start <= bounds.failedStarts; start += 1) {
      expect([world.in("starting").length, world.fakes.opened.length]).toEqual([1, 1 + start]);
      for (const sandbox of world.in("starting")) sandbox.crash();
      await settled();
    }
    const told = expect.objectContaining({ message: "it ended before it was ready" }) as unknown;
    expect(await Promise.all(waiting)).toEqual([told, told]);
    const later = world.pool.acquire("c");
    await world.fakes.settle();
    expect(await later).toBe(world.fakes.opened.at(-1));
    expect(world.fakes.opened.length).toBe(bounds.failedStarts + 2);
  });
});

describe("parking", () => {
  it("X18 a program that computes again before it is asked to park keeps its process, and may wait in it again", async () => {
    const world = open({ max: 2 });
    const [one, two] = [await world.take("a"), await world.take("a")];
    const parkTwo = vi.fn<() => void>();
    // The first one to be asked stirs the other, which was chosen in the same moment.
    world.pool.waiting(one, () => {
      world.pool.working(two);
      world.pool.release(one, true);
    });
    world.pool.waiting(two, parkTwo);
    await pass(bounds.parkAfterMs);
    const served: string[] = [];
    void ask(world, served, "a", "third");
    void ask(world, served, "a", "fourth");
    await pass(bounds.parkAfterMs);
    expect(served).toEqual(["third"]);
    const parkAgain = vi.fn<() => void>(() => world.pool.release(two, true));
    world.pool.waiting(two, parkAgain);
    await pass(2 * bounds.parkAfterMs);
    expect([parkAgain.mock.calls.length, served]).toEqual([1, ["third", "fourth"]]);
  });

  it("X18 a program that only waits gives its process to one that needs it, and goes on before those that came later", async () => {
    const world = open({ max: 1 });
    const served: string[] = [];
    const sandbox = await ask(world, served, "a", "first");
    const park = vi.fn<() => void>(() => world.pool.release(sandbox, true));
    world.pool.waiting(sandbox, park);
    await pass(bounds.parkAfterMs);
    expect([park.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
    const second = ask(world, served, "a", "second");
    await pass(5);
    expect(park).toHaveBeenCalledTimes(1);
    void ask(world, served, "a", "third");
    void ask(world, served, "a", "first, resumed", true);
    world.pool.release(await second, true);
    await pass(5);
    expect(served).toEqual(["first", "second", "first, resumed"]);
    expect(world.fakes.opened.length).toBe(1);
  });

  it("X18 it is not parked before it waited for a while, nor when it computes again", async () => {
    const world = open({ max: 1 });
    const sandbox = await world.take("a");
    const park = vi.fn<() => void>(() => world.pool.release(sandbox, true));
    void world.pool.acquire("a");
    for (let turn = 0; turn < 10; turn += 1) {
      world.pool.waiting(sandbox, park);
      await pass(bounds.parkAfterMs - 5);
      world.pool.working(sandbox);
      await pass(bounds.parkAfterMs);
    }
    expect(park).not.toHaveBeenCalled();
    world.pool.waiting(sandbox, park);
    await pass(bounds.parkAfterMs - 1);
    expect(park).not.toHaveBeenCalled();
    await pass(1);
    expect(park).toHaveBeenCalledTimes(1);
  });

  it("X18 those that wait for longest are parked, no more than others wait for", async () => {
    const world = open({ max: 4 }, 4);
    const parked: string[] = [];
    for (const name of ["1", "2", "3", "4"]) {
      const sandbox = await world.take("a");
      world.pool.waiting(sandbox, () => {
        parked.push(name);
        world.pool.release(sandbox, true);
      });
      await pass(5);
    }
    void world.pool.acquire("a");
    void world.pool.acquire("a");
    await pass(4 * bounds.parkAfterMs);
    expect(parked).toEqual(["1", "2"]);
  });

  it("X18 while programs of a tenant can be parked for each other, processes for it start one at a time", async () => {
    const world = open({ max: 8 }, 4, false);
    const served: string[] = [];
    const parked: string[] = [];
    for (const name of ["1", "2", "3"]) {
      const asked = ask(world, served, "a", name);
      await world.fakes.settle();
      const sandbox = await asked;
      world.pool.waiting(sandbox, () => {
        parked.push(name);
        world.pool.release(sandbox, true);
      });
    }
    await pass(bounds.parkAfterMs);
    for (const name of ["4", "5", "6"]) void ask(world, served, "a", name);
    expect([parked, world.in("starting").length]).toEqual([["1", "2"], 1]);
    // The one that starts goes to the tenant that has none.
    void ask(world, served, "b");
    expect([parked, world.in("starting").length]).toEqual([["1", "2", "3"], 1]);
    await world.fakes.settle();
    expect(served.toSorted()).toEqual(["1", "2", "3", "4", "5", "6", "b"]);
  });

  it("X18 for another tenant the parked program's process is replaced, for its own it is used at once", async () => {
    const world = open({ max: 2 }, 1);
    const parked: string[] = [];
    for (const tenant of ["a", "b"]) {
      const sandbox = await world.take(tenant);
      world.pool.waiting(sandbox, () => {
        parked.push(tenant);
        world.pool.release(sandbox, true);
      });
      await pass(bounds.parkAfterMs);
    }
    const [ofA, ofB] = world.fakes.opened;
    expect(await world.pool.acquire("b")).toBe(ofB);
    expect(await world.pool.acquire("c")).toBe(world.fakes.opened[2]);
    expect([parked, ofA?.alive, ofB?.alive]).toEqual([["b", "a"], false, true]);
  });

  it("X18 for other tenants no more are parked at a time than processes can start at a time", async () => {
    const world = open({ max: 3 }, 1, false);
    const served: string[] = [];
    const parked: string[] = [];
    for (const tenant of ["a", "b", "c"]) {
      const asked = ask(world, served, tenant);
      await world.fakes.settle();
      const sandbox = await asked;
      world.pool.waiting(sandbox, () => {
        parked.push(tenant);
        world.pool.release(sandbox, true);
      });
    }
    await pass(bounds.parkAfterMs);
    void ask(world, served, "d");
    void ask(world, served, "e");
    expect(parked).toEqual(["a"]);
    for (let step = 0; step < 4; step += 1) await world.fakes.settle();
    expect([served, parked]).toEqual([
      ["a", "b", "c", "d", "e"],
      ["a", "b"],
    ]);
  });

  it("X18 where every process is held by programs that wait for those in the line and cannot be parked, the newest is refused", async () => {
    const world = open({ max: 2 });
    const [one, two] = [await world.take("a", "one"), await world.take("a", "two")];
    two.computing = true;
    const inOne = failure(world.pool.acquire("a", undefined, ["one"]));
    const inTwo = failure(world.pool.acquire("a", undefined, ["two"]));
    let refused: unknown;
    void inTwo.then((fault) => (refused = fault));
    await pass(4 * bounds.parkAfterMs);
    expect(refused).toBe(undefined);
    two.computing = false;
    await pass(bounds.parkAfterMs);
    expect(refused).toMatchObject({
      code: "overloaded",
      message: "every sandbox process is held by a program whose tool runs another program",
    });
    world.pool.release(one, true);
    expect(await inOne).toBe(undefined);
  });

  it("X18 it is not refused where one that waits can be parked", async () => {
    const world = open({ max: 2 });
    await world.take("a", "one");
    const two = await world.take("a", "two");
    world.pool.waiting(two, () => world.pool.release(two, true));
    const inside = failure(world.pool.acquire("a", undefined, ["one", "two"]));
    await pass(3 * bounds.parkAfterMs);
    expect(await inside).toBe(undefined);
  });
});

describe("bounds of the line", () => {
  it("X18 a tenant's queue is bounded, but not for programs that were parked", async () => {
    const world = open({ max: 1, queue: 1 });
    await world.take("a");
    void world.pool.acquire("a");
    expect(await failure(world.pool.acquire("a"))).toMatchObject({
      code: "overloaded",
      message: "1 programs are already waiting for a sandbox process",
    });
    const served: string[] = [];
    void ask(world, served, "a", "resumed", true);
    world.pool.release(world.fakes.opened[0] as Sandbox, true);
    await pass(1);
    expect(served).toEqual(["resumed"]);
  });

  it("X18 all tenants together fill a line that is bounded too; who has most in it yields to who has less", async () => {
    const world = open({ max: 1, queue: bounds.queuedPrograms - 1 });
    await world.take("a");
    let last: Promise<Fault | undefined> | undefined;
    for (let number = 1; number < bounds.queuedPrograms; number += 1) last = failure(world.pool.acquire("many"));
    void world.pool.acquire("one");
    const message = `${bounds.queuedPrograms} programs are already waiting for a sandbox process`;
    const few = world.pool.acquire("few");
    expect(await last).toMatchObject({ code: "overloaded", message });
    world.pool.release(world.fakes.opened[0] as Sandbox, false);
    // The line is served in rounds, so that tenants with one program do not wait for those with thousands.
    const served: string[] = [];
    void few.then(() => served.push("few"));
    for (let turn = 0; turn < 3; turn += 1) {
      await pass(5);
      for (const sandbox of world.in("running")) world.pool.release(sandbox, false);
    }
    expect(served).toEqual(["few"]);
  });

  it("X18 where each tenant has one program in the full line, the next tenant is refused", async () => {
    const world = open({ max: 1 });
    await world.take("a");
    for (let number = 0; number < bounds.queuedPrograms; number += 1) void world.pool.acquire(`tenant ${number}`);
    expect(await failure(world.pool.acquire("another"))).toMatchObject({ code: "overloaded" });
  });

  it("X18 programs inside each other's tools are bounded", async () => {
    const world = open({ max: 1 });
    const lineage = Array.from({ length: bounds.nestedPrograms }, (_, depth) => `run ${depth}`);
    expect(await failure(world.pool.acquire("a", undefined, lineage))).toMatchObject({
      code: "overloaded",
      message: "no more than 32 programs may run inside each other's tools",
    });
    await world.pool.acquire("a", undefined, lineage.slice(1));
  });
});

describe("whatever happens", () => {
  const kinds =
    "ask ask ask ask resumed abort release release kill unused waiting working advance advance advance crash time";
  const command = fc.record({
    kind: fc.constantFrom(...kinds.split(" ")),
    tenant: fc.constantFrom("a", "b", "c", "d"),
    which: fc.nat(7),
  });

  it("X18 X19 no process serves two tenants, nobody waits beside a process for him, all are served, and closing leaves none", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 2 }),
        fc.boolean(),
        async (commands, max, startsAtOnce, warm) => {
          const { pool, fakes } = open({ warm: warm ? 1 : 0, max }, startsAtOnce, false);
          pool.ready.catch(() => undefined);
          const tenantOf = new Map<Sandbox, string>();
          const held: FakeSandbox[] = [];
          const waiting: { readonly tenant: string; readonly controller: AbortController }[] = [];

          function asks(tenant: string, resumed: boolean): void {
            const waiter = { tenant, controller: new AbortController() };
            waiting.push(waiter);
            const leave = (): void => void waiting.splice(waiting.indexOf(waiter), 1);
            pool.acquire(tenant, waiter.controller.signal, [], { resumed }).then((sandbox) => {
              leave();
              const fake = sandbox as FakeSandbox;
              if (fake.programs > 0) expect(tenantOf.get(sandbox)).toBe(tenant);
              expect(held).not.toContain(fake);
              tenantOf.set(sandbox, tenant);
              held.push(fake);
              return undefined;
            }, leave);
          }

          function act({ kind, tenant, which }: { kind: string; tenant: string; which: number }): void {
            const at = held.length === 0 ? 0 : which % held.length;
            const mine = held[at];
            if (kind === "ask" || kind === "resumed") asks(tenant, kind === "resumed");
            else if (kind === "abort") waiting[which]?.controller.abort();
            else if (kind === "advance") fakes.opened.filter(({ state }) => state !== "running")[which]?.advance();
            else if (kind === "crash") fakes.opened.filter(({ alive }) => alive)[which]?.crash();
            else if (kind === "time") vi.advanceTimersByTime(10 ** (which % 5));
            else if (mine === undefined) return;
            else if (kind === "working") pool.working(mine);
            else if (kind === "waiting") {
              pool.waiting(mine, () => {
                held.splice(held.indexOf(mine), 1);
                pool.release(mine, true);
                asks(tenantOf.get(mine) ?? "", true);
              });
            } else {
              held.splice(at, 1);
              if (kind !== "unused") mine.run();
              if (kind === "unused") pool.giveBack(mine);
              else pool.release(mine, kind === "release");
            }
          }

          function check(): void {
            expect(pool.size).toBeLessThanOrEqual(max);
            expect(fakes.opened.filter(({ state }) => state !== "gone").length).toBeLessThanOrEqual(max);
            expect(fakes.opened.filter(({ state }) => state === "starting").length).toBeLessThanOrEqual(startsAtOnce);
            const free = fakes.opened.filter((sandbox) => sandbox.state === "running" && !held.includes(sandbox));
            for (const { tenant } of waiting) {
              expect(free.filter(({ programs }) => programs === 0)).toEqual([]);
              expect(free.filter((sandbox) => tenantOf.get(sandbox) === tenant)).toEqual([]);
            }
          }

          for (const one of commands) {
            act(one);
            await settled();
            check();
          }
          for (let round = 0; waiting.length > 0 && round < 1_000; round += 1) {
            await fakes.settle();
            vi.advanceTimersByTime(bounds.parkAfterMs);
            for (const sandbox of held.splice(0)) {
              sandbox.run();
              pool.release(sandbox, true);
            }
            await settled();
            check();
          }
          expect(waiting).toEqual([]);
          for (const sandbox of held.splice(0)) pool.release(sandbox, true);
          asks("a", false);
          asks("b", false);
          await Promise.all([pool[Symbol.asyncDispose](), fakes.settle()]);
          expect([pool.size, fakes.opened.filter(({ state }) => state !== "gone").length]).toEqual([0, 0]);
          expect(vi.getTimerCount()).toBe(0);
          expect(await failure(pool.acquire("a"))).toMatchObject({ code: "runtime_closed" });
        },
      ),
      { numRuns: 300 },
    );
  });
});
