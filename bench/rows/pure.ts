import { Bench } from "tinybench";
import { createDeployment } from "../../src/index.ts";
import { declare } from "../../src/prompt/declarations.ts";
import { benchTools } from "../host.ts";
import type { Case, Row } from "../row.ts";

function row(name: string, work: () => unknown): Row {
  return {
    name,
    unit: "us",
    async sample() {
      const bench = new Bench({ time: 100, warmupTime: 20 });
      bench.add(name, () => void work());
      const [task] = await bench.run();
      if (task?.result.state !== "completed") throw new Error(`${name} did not complete`);
      return task.result.latency.p50 * 1_000;
    },
  };
}

/** What is done once for a set of tools, without a process. */
export function pure(): Promise<Case> {
  const tools = benchTools(97);
  const surface = () => {
    const deployment = createDeployment();
    for (const tool of tools) deployment.tool(tool);
    return deployment.surface();
  };
  const offered = surface().tools.map(({ name, tool }) => ({
    name,
    description: tool.description,
    input: tool.input.json,
    ...(tool.output === undefined ? {} : { output: tool.output.json }),
  }));
  return Promise.resolve({
    name: "pure",
    rounds: 5,
    rows: [row("100 tools registered, surface made", surface), row("100 tools declared", () => declare(offered))],
    close: () => Promise.resolve(),
  });
}
