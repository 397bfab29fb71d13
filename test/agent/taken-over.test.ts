import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeployment, createRuntime, memoryStore, type Runtime, type Store } from "../../src/index.ts";
import { tool } from "./fixture.ts";

const tenant = "default";
const kept = memoryStore();
/** What it holds is as durable here as it has to be. */
const store: Store = { ...kept, isDurable: true };
let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ store, check: "off", processes: { warm: 1, max: 2 } });
});
afterAll(() => runtime.close());

/** As a process does that finds the claim expired. */
const takeOver = (runId: string): Promise<number> =>
  kept.claim(tenant, runId, { owner: "another process", ttlMs: 60_000, now: Date.now() + 3_600_000 });

async function open() {
  const done: number[] = [];
  const deployment = createDeployment();
  deployment.tool(
    tool("write", (args) => done.push((args as { n: number }).n), {
      inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      effects: ["write"],
    }),
  );
  deployment.tool(
    tool(
      "wait",
      async (_, { callId }) => {
        await takeOver(callId.split(".")[0] ?? "");
        return "waited";
      },
      { effects: ["read"] },
    ),
  );
  return { done, agent: await deployment.agent("test", { form: "code", runtime }) };
}

describe("a run that another process has taken over", () => {
  it("J9 ends at its next write, which is not executed, and says that it goes on elsewhere", async () => {
    const { done, agent } = await open();
    const run = await agent.run(
      "await tools.write({ n: 1 }); await tools.wait(); await tools.write({ n: 2 }).catch(() => 0); return 'over';",
    );
    expect(done).toEqual([1]);
    expect(run).toMatchObject({
      status: "failed",
      error: {
        code: "store_fenced",
        hint: "another process goes on with the run; session.resume tells how it ended",
      },
    });
    const { status, entries } = await kept.load(tenant, run.runId);
    expect(status).toBe("running");
    expect(entries.some((entry) => entry.includes('"end"'))).toBe(false);
  });

  it("J9 does not tell of an end that is not written down", async () => {
    const { agent } = await open();
    const run = await agent.run("await tools.write({ n: 1 }); return await tools.wait();");
    expect(run).toMatchObject({ status: "failed", error: { code: "store_fenced" } });
    expect(run).not.toHaveProperty("value");
  });
});
