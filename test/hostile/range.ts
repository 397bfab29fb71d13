// A runtime for hostile programs: a few of them at once, an ordinary program after each, and what must be left when they are gone.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pLimit from "p-limit";
import { expect, vi } from "vitest";
import { createDeployment, createRuntime, type Limits, type RunResult } from "../../src/index.ts";
import { echo } from "../agent/fixture.ts";
import { childrenOf, gone, readsProcesses } from "../runtime/processes.ts";

const atOnce = 3;
const processes = { warm: 2, max: 4 };

export interface Hostile {
  readonly threat: string;
  readonly code: string;
  /** As `endOf` tells it, or its code alone; of several the machine decides which. */
  readonly ends: string | readonly string[];
}

export interface Range {
  /** Runs a program; once it ended, an ordinary one must give its value and no process be left over. */
  shoot(code: string): Promise<RunResult>;
  /** Resolves once no process of the runtime is left. */
  close(): Promise<void>;
}

const sandboxes = (): number[] => (readsProcesses ? childrenOf(process.pid, /sandbox\.js/) : []);

export async function openRange(limits: Partial<Limits> = {}): Promise<Range> {
  const runtime = await createRuntime({ limits: { cpuMs: 600, wallMs: 4_000, ...limits }, processes });
  const deployment = createDeployment();
  deployment.tool(echo);
  const agent = await deployment.agent("range", { form: "code", runtime });
  const line = pLimit(atOnce);
  return {
    shoot: (code) =>
      line(async () => {
        const run = await agent.run(code);
        const next = await agent.run("return [1, 2, 3].map((n: number) => n * 2)");
        expect(endOf(next)).toBe("value [2,4,6]");
        await vi.waitUntil(() => sandboxes().length <= processes.max, { timeout: 20_000, interval: 20 });
        return run;
      }),
    async close() {
      const pids = sandboxes();
      await runtime.close();
      await gone(pids);
    },
  };
}

/** `call(x)` gives x back; it stands on the first line, so that lines stay. */
export const withCall = (code: string): string => `const call = async (x) => (await tools.echo({ x })).x; ${code}`;

/** `value` and its JSON, or the code, with the message where the program's own words are in it. */
function endOf(run: RunResult): string {
  if (run.status === "completed") return `value ${JSON.stringify(run.value)}`;
  if (run.status === "suspended") return run.status;
  const { code, message } = run.error;
  return code === "program_error" || code.startsWith("return_") ? `${code}: ${message}` : code;
}

/** The end that was expected, where it is one of those; else what came. */
export function matched(run: RunResult, { ends }: Hostile): string | undefined {
  const end = endOf(run);
  const [code] = end.split(/[: ]/, 1);
  return [ends].flat().find((expected) => expected === end || expected === code) ?? end;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Resident memory of this process in MB, once its garbage is collected. */
export function residentMb(): number {
  collect();
  return process.memoryUsage.rss() / 1_048_576;
}
