import { afterAll, beforeAll } from "vitest";
import {
  type Agent,
  type AnyTool,
  createDeployment,
  createRuntime,
  type Limits,
  type Runtime,
  type RunResult,
} from "../../src/index.ts";

export interface AgentFixture {
  readonly runtime: Runtime;
  agent(tools?: readonly AnyTool[]): Promise<Agent>;
  run(code: string, tools?: readonly AnyTool[]): Promise<RunResult>;
  /** The value of a program that completes; fails with the error of one that does not. */
  value(code: string, tools?: readonly AnyTool[]): Promise<unknown>;
}

/** A runtime for all tests of a file, closed after them. */
export function useRuntime(limits: Partial<Limits> = {}): AgentFixture {
  let opened: Runtime | undefined;
  beforeAll(async () => {
    opened = await createRuntime({ limits, processes: { warm: 1, max: 4 } });
  });
  afterAll(async () => {
    await opened?.close();
  });
  const fixture: AgentFixture = {
    get runtime() {
      if (opened === undefined) throw new Error("the runtime is not open yet");
      return opened;
    },
    agent(tools = []) {
      const deployment = createDeployment();
      for (const tool of tools) deployment.tool(tool);
      return deployment.agent("test", { form: "code", runtime: fixture.runtime });
    },
    run: async (code, tools) => (await fixture.agent(tools)).run(code),
    async value(code, tools) {
      const run = await fixture.run(code, tools);
      if (run.status !== "completed") throw new Error(JSON.stringify(run));
      return run.value;
    },
  };
  return fixture;
}

/** Answers what it is given; pure and parallel-safe. */
export const echo: AnyTool = {
  name: "echo",
  description: "Returns its arguments",
  inputSchema: { type: "object" },
  effects: [],
  parallelSafe: true,
  execute: (args) => args,
};

/** A write that fails as a tool that knows why it fails. */
export const tool = (name: string, execute: AnyTool["execute"], more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: "Returns something",
  inputSchema: { type: "object" },
  execute,
  ...more,
});
