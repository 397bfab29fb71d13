import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { createDeployment, createRuntime } from "../../src/index.ts";
import type { Isolation } from "../../src/runtime/isolation.ts";
import { openSandbox } from "../../src/runtime/sandbox.ts";
import { childrenOf, descendantsOf, gone, readsProcesses } from "./processes.ts";

const childPath = fileURLToPath(new URL("../../dist/sandbox.js", import.meta.url));

it.runIf(readsProcesses)(
  "X12 X19 one that is killed while it starts takes with it what it had just forked",
  async () => {
    // What is started last is tied to nothing, as for a moment after a fork; it holds the pipes open.
    const wrap: Isolation["wrap"] = (command) => ["/bin/sh", "-c", '"$@" & wait', "sh", ...command];
    const isolation = { above: 1, wrap };
    const sandbox = openSandbox({ nodePath: process.execPath, childPath, memoryMb: 64, isolation });
    const below = await vi.waitUntil(() => descendantsOf(sandbox.pid)[0], { timeout: 20_000 });
    sandbox.kill();
    await sandbox.exited;
    await gone([below]);
    expect(descendantsOf(sandbox.pid)).toEqual([]);
  },
);

/** It may be gone with one that it was tied to. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // gone
  }
}

it.runIf(readsProcesses)(
  "X13 X18 when every process is killed at once, spares too, a program that waits loses one and goes on",
  async () => {
    await using runtime = await createRuntime({ check: "off", processes: { warm: 3, max: 8 } });
    const deployment = createDeployment();
    const hold = Promise.withResolvers<void>();
    let asked = 0;
    deployment.tool({
      name: "hold",
      description: "Returns null once all processes were killed.",
      effects: ["read"],
      async execute() {
        asked += 1;
        await hold.promise;
        return null;
      },
    });
    const agent = await deployment.agent("test", { form: "code", runtime });
    await vi.waitUntil(() => runtime.processes >= 3, { timeout: 20_000 });
    const running = agent.run("await tools.hold({}); return 1");
    await vi.waitUntil(() => asked === 1, { timeout: 20_000 });
    await vi.waitUntil(() => runtime.processes >= 4, { timeout: 20_000 });
    const sandboxes = childrenOf(process.pid, /sandbox\.js/).flatMap((pid) => [pid, ...descendantsOf(pid)]);
    // The host has not heard of any of these deaths when the program goes on.
    for (const pid of sandboxes) end(pid);
    hold.resolve();
    const run = await running;
    expect(run).toMatchObject({ status: "completed", value: 1, calls: [{ status: "ok" }] });
    expect(run.warnings).toEqual([
      expect.stringMatching(/^the sandbox process died .*; the program was repeated in another one and went on/),
    ]);
    expect(asked).toBe(1);
  },
);
