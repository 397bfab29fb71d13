// What a durable run costs over one in memory, and what it costs to go on with one elsewhere.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Agent,
  createDeployment,
  createRuntime,
  defineTool,
  type RunResult,
  type Runtime,
  sqliteStore,
} from "codecall";
import { benchTools } from "../host.ts";
import { type Case, time } from "../row.ts";

const tenant = "bench";
const calls = 1_000;
const writes = 200;

const pay = defineTool({
  name: "pay",
  description: "Returns what was paid.",
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false },
  effects: ["write"],
  execute: ({ n }) => n,
});

interface Opened {
  readonly runtime: Runtime;
  readonly agent: Agent;
}

async function openAgent(path: string | undefined): Promise<Opened & { readonly close: () => Promise<void> }> {
  const store = path === undefined ? undefined : sqliteStore({ path });
  const runtime = await createRuntime(store === undefined ? {} : { store });
  const deployment = createDeployment();
  for (const tool of [...benchTools(0), pay]) deployment.tool(tool);
  // Only the last payment is asked about.
  deployment.policy(({ name, args }) => (name === "pay" && (args as { n: number }).n < 0 ? "ask" : "allow"));
  const agent = await deployment.agent("bench", { form: "code", runtime });
  return {
    runtime,
    agent,
    async close() {
      await runtime.close();
      await store?.close();
      deployment[Symbol.dispose]();
    },
  };
}

const reads = `let sum = 0; for (let i = 0; i < ${calls}; i++) sum = await tools.add({ a: sum, b: 1 });`;

export async function durableRuns(): Promise<Case> {
  const folder = mkdtempSync(join(tmpdir(), "codecall-bench-"));
  const path = join(folder, "runs.db");
  const [plain, first, second] = [await openAgent(undefined), await openAgent(path), await openAgent(path)];

  async function expecting(run: Promise<RunResult>, status: RunResult["status"]): Promise<RunResult> {
    const result = await run;
    if (result.status !== status) throw new Error(`a run is ${result.toModel()}, not ${status}`);
    return result;
  }
  const reading = ({ agent }: Opened): Promise<number> =>
    time(() => expecting(agent.run(`${reads} return sum`, { tenant }), "completed"));

  async function suspend(code: string): Promise<string> {
    await using session = await first.agent.session("chat", { tenant, approvals: "later" });
    return (await expecting(session.turn().run(code), "suspended")).runId;
  }
  /** The other process takes the run over, repeats it, and finds it waiting as before. */
  async function resume(runId: string): Promise<number> {
    await using session = await second.agent.session("chat", { tenant, approvals: "later" });
    return await time(() => expecting(session.resume(runId), "suspended"));
  }
  const long = await suspend(`${reads.replace(String(calls), String(calls - 1))} return await tools.pay({ n: -1 })`);
  const short = await suspend("return await tools.pay({ n: -1 })");

  return {
    name: "durable",
    rounds: 7,
    rows: [
      { name: `${calls} reads, one after another, in memory`, unit: "ms", sample: () => reading(plain) },
      {
        name: `${calls} reads, one after another, in SQLite`,
        unit: "ms",
        against: `${calls} reads, one after another, in memory`,
        sample: () => reading(first),
      },
      {
        name: "a write of a program in SQLite, each",
        unit: "ms",
        sample: async () => {
          const code = `for (let n = 0; n < ${writes}; n++) await tools.pay({ n }); return 1`;
          return (await time(() => expecting(first.agent.run(code, { tenant }), "completed"))) / writes;
        },
      },
      { name: "a run of one call resumed from another process", unit: "ms", sample: () => resume(short) },
      { name: `a run of ${calls} calls resumed from another process`, unit: "ms", sample: () => resume(long) },
    ],
    async close() {
      await Promise.all([plain.close(), first.close(), second.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
