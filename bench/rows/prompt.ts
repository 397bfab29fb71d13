import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createDeployment } from "../../src/index.ts";
import { assemblePrompt } from "../../src/prompt/assemble.ts";
import type { PromptRequest } from "../../src/registry/instructions.ts";
import { benchTools } from "../host.ts";
import { type Case, time } from "../row.ts";

const count = 1_000;
const sections = 200;

const request: PromptRequest = {
  model: "m-1",
  workingFolder: "/work",
  text: undefined,
  activity: undefined,
  tenant: "default",
  identity: undefined,
  session: "bench",
  turn: 1,
  signal: new AbortController().signal,
};

/** Assembling the prompt, and a session more on an agent that all share. */
export async function prompt(): Promise<Case> {
  const deployment = createDeployment();
  for (const tool of benchTools(97)) deployment.tool(tool);
  for (let index = 0; index < sections; index += 1) {
    const text = `How to do thing ${index} with {{model}} in {{working_folder}}. `.repeat(4);
    deployment.section({ name: `s${index}`, order: (sections - index) * 10, text });
  }
  const agent = await deployment.agent("bench");
  const { instructions } = deployment.surface();
  return {
    name: "prompt",
    rounds: 9,
    rows: [
      {
        name: `${sections} sections assembled`,
        unit: "us",
        sample: async () => each(100, () => assemblePrompt(instructions, () => "", request)),
      },
      {
        name: "new session, one turn",
        unit: "us",
        sample: () => each(count, async () => (await agent.session("s")).turn()),
      },
      {
        name: "new session, one turn, kept",
        unit: "KB",
        sample: () => keptKb(async () => [await agent.session("s")].map((s) => [s, s.turn()])),
      },
    ],
    close: () => Promise.resolve(deployment[Symbol.dispose]()),
  };
}

/** Microseconds of one of many. */
async function each(times: number, work: () => Promise<unknown>): Promise<number> {
  const ms = await time(async () => {
    for (let index = 0; index < times; index += 1) await work();
  });
  return (ms * 1_000) / times;
}

/** Heap that one of many keeps. */
async function keptKb(make: () => Promise<unknown>): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = await Promise.all(Array.from({ length: count }, make));
  collect();
  return (process.memoryUsage().heapUsed - before) / kept.length / 1_024;
}
