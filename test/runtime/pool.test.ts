import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDeployment, createRuntime } from "../../src/index.ts";
import { childrenOf, gone, readsProcesses } from "./processes.ts";

const root = join(import.meta.dirname, "../..");

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("sandbox processes", () => {
  it("X18 grow with demand up to the maximum; what is beyond the queue is refused as overloaded", async () => {
    await using runtime = await createRuntime({ processes: { warm: 1, max: 2, queue: 1 } });
    const deployment = createDeployment();
    const gates: (() => void)[] = [];
    deployment.tool({
      name: "wait",
      description: "Returns when told",
      parallelSafe: true,
      execute: () => new Promise<void>((resolve) => gates.push(resolve)),
    });
    const agent = await deployment.agent("test", { form: "code", runtime });
    const first = [agent.run("await tools.wait(); return 1"), agent.run("await tools.wait(); return 2")];
    await until(() => gates.length === 2);
    expect(runtime.processes).toBe(2);
    const queued = agent.run("return 3");
    const refused = await agent.run("return 4");
    expect(refused).toMatchObject({
      status: "failed",
      error: { code: "overloaded", message: "1 programs are already waiting for a sandbox process" },
    });
    for (const open of gates) open();
    expect(await Promise.all([...first, queued])).toMatchObject([{ value: 1 }, { value: 2 }, { value: 3 }]);
  });

  it.runIf(readsProcesses)("X18 X2 none serves two tenants", async () => {
    await using runtime = await createRuntime({ processes: { warm: 0, max: 1 } });
    const agent = await createDeployment().agent("test", { form: "code", runtime });
    const pids = async (): Promise<number[]> => {
      await until(() => childrenOf(process.pid, /sandbox\.js/).length > 0);
      return childrenOf(process.pid, /sandbox\.js/);
    };
    await agent.run("return 1", { tenant: "a" });
    const before = await pids();
    await agent.run("return 1", { tenant: "a" });
    expect(await pids()).toEqual(before);
    expect(await agent.run("return 1", { tenant: "b" })).toMatchObject({ value: 1 });
    expect(before.filter((pid) => childrenOf(process.pid, /sandbox\.js/).includes(pid))).toEqual([]);
  });

  it.runIf(readsProcesses)(
    "X12 X18 one that dies before its program starts costs nothing: another runs it",
    async () => {
      await using runtime = await createRuntime({ processes: { warm: 1, max: 1 } });
      const agent = await createDeployment().agent("test", { form: "code", runtime });
      const run = agent.run(`const n: number = 1; ${"void 0;".repeat(5_000)} return n`);
      for (const pid of childrenOf(process.pid, /sandbox\.js/)) process.kill(pid, "SIGKILL");
      expect(await run).toMatchObject({ status: "completed", value: 1 });
    },
  );

  it("X18 a tenant that keeps asking does not keep another from being served", async () => {
    await using runtime = await createRuntime({ processes: { warm: 0, max: 1 } });
    const deployment = createDeployment();
    deployment.tool({
      name: "rest",
      description: "Returns later",
      execute: () => new Promise((resolve) => setImmediate(resolve)),
    });
    const agent = await deployment.agent("test", { form: "code", runtime });
    const order: string[] = [];
    const ask = async (tenant: string): Promise<void> => {
      await agent.run("await tools.rest({})", { tenant });
      order.push(tenant);
    };
    await Promise.all([ask("a"), ask("a"), ask("a"), ask("a"), ask("b")]);
    expect(order).toEqual(["a", "b", "a", "a", "a"]);
  });

  it.runIf(readsProcesses)(
    "X2 a host process that is killed takes its children with it, spinning ones too",
    async () => {
      const host = spawn(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `import { createDeployment, createRuntime } from ${JSON.stringify(join(root, "dist/index.js"))};
         const runtime = await createRuntime({ processes: { warm: 1, max: 2 } });
         const agent = await createDeployment().agent("a", { form: "code", runtime });
         void agent.run("for (;;) {}");
         setTimeout(() => console.log("running"), 50);`,
        ],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      await once(host.stdout, "data");
      const children = [...childrenOf(host.pid ?? 0, /sandbox\.js/), ...childrenOf(host.pid ?? 0, /compiler\.js/)];
      expect(children.length).toBeGreaterThan(1);
      host.kill("SIGKILL");
      await gone(children);
    },
  );

  it("X18 X19 a process that cannot start is told with what to do", async () => {
    await expect(createRuntime({ nodePath: "/nowhere/node" })).rejects.toMatchObject({
      code: "sandbox_unavailable",
      message: expect.stringMatching(/^no sandbox process could be started: /) as string,
      hint: expect.stringContaining("codecall doctor") as string,
    });
  });

  it("X18 programs that tools run inside programs take turns where there are too few processes, down to a depth", async () => {
    await using runtime = await createRuntime({ processes: { warm: 0, max: 2 } });
    const deployment = createDeployment();
    const agent = await deployment.agent("test", { form: "code", runtime });
    deployment.tool({
      name: "deeper",
      description: "Returns how deep the programs inside went and how the innermost ended",
      execute: async ({ depth }: { depth: number }) => {
        const run = await agent.run(`return await tools.deeper({ depth: ${depth + 1} })`);
        return run.status === "completed" ? run.value : { depth, message: run.toModel().split("\n")[0] };
      },
    });
    expect(await agent.run("return await tools.deeper({ depth: 1 })")).toMatchObject({
      status: "completed",
      value: {
        depth: 32,
        message: "Failed: no more than 32 programs may run inside each other's tools [overloaded]",
      },
    });
    expect(runtime.processes).toBeLessThanOrEqual(2);
  });

  it("X18 programs that only wait share fewer processes than there are of them", async () => {
    await using runtime = await createRuntime({ processes: { warm: 1, max: 2 } });
    const deployment = createDeployment();
    const open = Promise.withResolvers<number>();
    let waiting = 0;
    deployment.tool({
      name: "wait",
      description: "Returns a number once all wait",
      parallelSafe: true,
      execute: () => {
        waiting += 1;
        if (waiting === 12) open.resolve(7);
        return open.promise;
      },
    });
    const agent = await deployment.agent("test", { form: "code", runtime });
    const runs = Array.from({ length: 12 }, (_, number) =>
      agent.run(`const got = await tools.wait(); return got + ${number}`, { tenant: `tenant ${number % 3}` }),
    );
    expect((await Promise.all(runs)).map((run) => run.status === "completed" && run.value)).toEqual(
      Array.from({ length: 12 }, (_, number) => 7 + number),
    );
    expect([waiting, runtime.processes <= 2]).toEqual([12, true]);
  });

  it("X18 X19 a process that cannot even be made is told as well", async () => {
    await expect(createRuntime({ childPath: "x\0y" })).rejects.toMatchObject({
      code: "sandbox_unavailable",
      message: expect.stringContaining("null bytes") as string,
    });
  });

  it("X5 options are checked, and the unknown ones named", async () => {
    await expect(createRuntime({ limits: { cpuMs: 0 } })).rejects.toThrow(
      "limit cpuMs must be an integer from 10 to 600000 (ms), got 0",
    );
    await expect(createRuntime({ limits: { cpu: 1 } as object })).rejects.toThrow(
      'unknown limit "cpu"; the limits are cpuMs, wallMs, memoryMb, sourceBytes, consoleBytes, calls, concurrency, callMs, attempts, approvalMs, argumentBytes, resultBytes, returnBytes, stateBytes',
    );
    await expect(createRuntime({ proceses: {} } as object)).rejects.toThrow(
      'createRuntime has no option "proceses"; there are limits, processes, nodePath, childPath, compilerPath',
    );
    await expect(createRuntime({ processes: { max: 0 } })).rejects.toThrow(
      "processes.max must be an integer of at least 2, got 0",
    );
  });
});
