import { describe, expect, it } from "vitest";
import { type Agent, createDeployment, createRuntime, type Limits, type Runtime } from "../../src/index.ts";
import { childrenOf, descendantsOf, gone, readsProcesses } from "./processes.ts";

interface World extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly agent: Agent;
  /** What `wait` was called with so far, and its gate. */
  readonly asked: number[];
  readonly gate: PromiseWithResolvers<void>;
  /** Resolves once `wait` was called so often. */
  arrived(count: number): Promise<void>;
}

async function open(max: number, limits: Partial<Limits> = {}): Promise<World> {
  const runtime = await createRuntime({ limits, processes: { warm: 1, max } });
  const asked: number[] = [];
  const gate = Promise.withResolvers<void>();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const deployment = createDeployment();
  deployment.tool({
    name: "wait",
    description: "Returns what it is given, once the gate is open",
    inputSchema: { type: "object", properties: { n: { type: "number" } } },
    effects: [],
    parallelSafe: true,
    execute: async ({ n }: { n: number }, { signal }) => {
      asked.push(n);
      for (const { count, resolve } of waiting) if (asked.length >= count) resolve();
      const stopped = new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      );
      await Promise.race([gate.promise, stopped]);
      return n;
    },
  });
  deployment.tool({
    name: "die",
    description: "Returns once it has ended every sandbox process",
    execute: killSandboxes,
  });
  const agent = await deployment.agent("test", { form: "code", runtime });
  return {
    runtime,
    agent,
    asked,
    gate,
    arrived: (count) =>
      asked.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}

async function killSandboxes(): Promise<void> {
  const pids = childrenOf(process.pid, /sandbox\.js/);
  const below = pids.flatMap((pid) => descendantsOf(pid));
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await gone([...pids, ...below]);
}

const died =
  /^the sandbox process died \(.*\); the program was repeated in another one and went on, and no call was made twice$/;

describe("programs that wait", () => {
  it("X18 give their processes up to others: 200 that wait at once need four", async () => {
    await using world = await open(4);
    const runs = Array.from({ length: 200 }, (_, n) =>
      world.agent.run(
        `const r = Math.random(); const v = await tools.wait({ n: ${n} }); console.log(v); return [v, r === r]`,
      ),
    );
    await world.arrived(200);
    expect(world.runtime.processes).toBeLessThanOrEqual(4);
    world.gate.resolve();
    const results = await Promise.all(runs);
    expect(results.map((run) => run.status === "completed" && run.value)).toEqual(results.map((_, n) => [n, true]));
    expect(results.flatMap(({ console: lines }) => lines.map(({ text }) => text))).toEqual(
      results.map((_, n) => `${n}`),
    );
    expect(results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(results.flatMap(({ calls }) => calls.map(({ status, settledIn }) => [status, settledIn]))).toEqual(
      results.map(() => ["ok", 1]),
    );
    expect(world.asked.toSorted((a, b) => a - b)).toEqual(results.map((_, n) => n));
  });

  it("X18 C11 time without a process counts as waiting for one", async () => {
    await using world = await open(1);
    const run = world.agent.run("await tools.wait({ n: 1 }); return 1");
    await world.arrived(1);
    expect(await world.agent.run("return 2")).toMatchObject({ value: 2 });
    const blocking = world.agent.run(
      "const until = 100; let n = 0; for (let i = 0; i < 2e7; i += 1) n += i % until; return n",
    );
    world.gate.resolve();
    const [waited] = await Promise.all([run, blocking]);
    expect(waited).toMatchObject({ status: "completed", value: 1 });
    expect(waited.usage.queueMs).toBeGreaterThan(waited.calls.reduce((sum, call) => sum + call.queuedMs, 0));
  });

  it("X18 wake up for their timers", async () => {
    await using world = await open(1);
    const run = world.agent.run(
      "const t = setTimeout(() => console.log('never'), 60_000); const r = Promise.race([tools.wait({ n: 1 }), new Promise((done) => setTimeout(done, 1, 'timer'))]); const first = await r; clearTimeout(t); return first",
    );
    await world.arrived(1);
    expect(await world.agent.run("return 2")).toMatchObject({ value: 2 });
    world.gate.resolve();
    expect(await run).toMatchObject({
      status: "completed",
      value: "timer",
      console: [],
      warnings: expect.any(Array) as string[],
    });
  });

  it("X12 X18 end at once when they are aborted without a process, and what they wait for is signalled", async () => {
    await using world = await open(1);
    const controller = new AbortController();
    const run = world.agent.run("await tools.wait({ n: 1 }); return 1", { signal: controller.signal });
    await world.arrived(1);
    expect(await world.agent.run("return 2")).toMatchObject({ value: 2 });
    controller.abort();
    expect(await run).toMatchObject({
      status: "cancelled",
      error: { code: "aborted" },
      calls: [{ status: "cancelled", failure: { code: "call_aborted" } }],
    });
    expect(await world.agent.run("return 3")).toMatchObject({ value: 3 });
  });

  it("X5 X18 are out of time without a process as with one", async () => {
    await using world = await open(1, { wallMs: 3_000 });
    const run = world.agent.run("await tools.wait({ n: 1 }); return 1");
    await Promise.race([world.arrived(1), run]);
    expect(await world.agent.run("return 2")).toMatchObject({ value: 2 });
    expect(await run).toMatchObject({ status: "failed", error: { code: "wall_limit" } });
  });

  it("X18 X19 end with the runtime", async () => {
    await using world = await open(1);
    const run = world.agent.run("await tools.wait({ n: 1 }); return 1");
    await world.arrived(1);
    expect(await world.agent.run("return 2")).toMatchObject({ value: 2 });
    await world.runtime.close();
    expect(await run).toMatchObject({ status: "cancelled", error: { code: "runtime_closed" } });
    expect(world.runtime.processes).toBe(0);
  });
});

describe.runIf(readsProcesses)("a sandbox process that dies", () => {
  it("X13 costs a waiting program nothing but a warning: its calls go on and are not made twice", async () => {
    await using world = await open(1);
    const run = world.agent.run(
      "console.log(Math.random()); const a = await Promise.all([tools.wait({ n: 1 }), tools.wait({ n: 2 })]); console.log(a); return a",
    );
    await world.arrived(2);
    await killSandboxes();
    world.gate.resolve();
    const result = await run;
    expect(result).toMatchObject({
      status: "completed",
      value: [1, 2],
      warnings: [expect.stringMatching(died)],
      calls: [
        { status: "ok", attempts: 1 },
        { status: "ok", attempts: 1 },
      ],
    });
    expect(result.console).toHaveLength(2);
    expect(world.asked).toEqual([1, 2]);
  });

  it("X13 in the middle of a program is got over once; the second time the program fails with its ledger", async () => {
    await using world = await open(1);
    world.gate.resolve();
    const once = await world.agent.run(
      "await tools.wait({ n: 1 }); await tools.die(); return await tools.wait({ n: 2 })",
    );
    expect(once).toMatchObject({ status: "completed", value: 2, warnings: [expect.stringMatching(died)] });
    const twice = await world.agent.run("await tools.wait({ n: 3 }); await tools.die(); await tools.die(); return 4");
    expect(twice).toMatchObject({
      status: "failed",
      error: {
        code: "sandbox_crashed",
        message: expect.stringMatching(
          /^the sandbox process died \(.*\), the second one under this program$/,
        ) as string,
      },
      calls: [
        { tool: "wait", status: "ok" },
        { tool: "die", status: "ok" },
        { tool: "die", status: "ok" },
      ],
    });
    expect(twice.toModel()).toContain("wait");
    expect(world.asked).toEqual([1, 2, 3]);
  });

  it("X12 X13 harms no other program", async () => {
    await using world = await open(3);
    const runs = [1, 2, 3].map((n) => world.agent.run(`return await tools.wait({ n: ${n} })`));
    await world.arrived(3);
    await killSandboxes();
    world.gate.resolve();
    expect(await Promise.all(runs)).toMatchObject([{ value: 1 }, { value: 2 }, { value: 3 }]);
    expect(world.asked.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });
});
