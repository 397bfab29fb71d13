import { createDeployment, createRuntime, defineTool } from "../../../dist/index.js";
import { caps, type StartSystem } from "../system.ts";

/** `tenantOf` numbers the tenants: programs of one share a process, one after another. */
export const startWith =
  (tenantOf: (program: number) => string): StartSystem =>
  async ({ tools, timeoutMs }) => {
    const runtime = await createRuntime({
      limits: {
        cpuMs: timeoutMs,
        wallMs: timeoutMs,
        calls: caps.calls,
        concurrency: caps.concurrency,
        memoryMb: caps.memoryMb,
      },
    });
    const deployment = createDeployment();
    for (const { name, description, inputSchema, outputSchema, execute } of tools) {
      deployment.tool(
        defineTool({ name, description, inputSchema, outputSchema, effects: ["read"], parallelSafe: true, execute }),
      );
    }
    const agent = await deployment.agent("bench", { form: "code", runtime });
    let programs = 0;
    return {
      call: (tool, argumentText) => `tools.${tool}(${argumentText})`,
      async run({ body, result }) {
        const run = await agent.run(`${body}\nreturn ${result};`, { tenant: tenantOf(programs++) });
        if (run.status !== "completed") throw new Error(run.error?.code ?? run.status);
        return run.value;
      },
      async [Symbol.asyncDispose]() {
        await runtime.close();
        deployment[Symbol.dispose]();
      },
    };
  };

export const start: StartSystem = startWith(() => "one");
