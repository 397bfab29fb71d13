import { afterAll, beforeAll, expect, it } from "vitest";
import { type Agent, createDeployment, createRuntime, type Runtime } from "../../src/index.ts";

let runtime: Runtime;
let agent: Agent;
beforeAll(async () => {
  runtime = await createRuntime({ check: "off", limits: { cpuMs: 500 } });
  const deployment = createDeployment();
  deployment.tool({ name: "echo", description: "Returns null.", effects: [], execute: () => null });
  agent = await deployment.agent("test", { form: "code", runtime });
});
afterAll(() => runtime.close());

const told = (what: string): string => `a rejection was not handled: ${what}; await the promise, or catch its error`;

it.each<readonly [string, string, string[]]>([
  ["in the turn in which it ends", 'Promise.reject(new Error("x"));\nreturn 1', [told("Error: x at line 1")]],
  [
    "of an async function that nobody awaits",
    'const lose = async (): Promise<void> => {\n  throw new TypeError("y");\n};\nvoid lose();\nreturn 1',
    [told("TypeError: y at line 2")],
  ],
  [
    "after a call",
    'class Odd extends Error { name = "Odd" }\nvoid (async () => {\n  await tools.echo({});\n  throw new Odd("z");\n})();\nawait tools.echo({});\nawait tools.echo({});\nreturn 1',
    [told("Odd: z at line 4")],
  ],
  ["with what is no error", "Promise.reject(5);\nreturn 1", [told("5")]],
  ["with an object", "Promise.reject({ a: 1 });\nreturn 1", [told("an object that is no error")]],
  [
    "that is handled in time",
    'const p = Promise.reject(new Error("x"));\nawait null;\nawait p.catch(() => 0);\nreturn 1',
    [],
  ],
])("X9 X12 a lost rejection %s is a warning, and the program goes on", async (_what, code, warnings) => {
  expect(await agent.run(code)).toMatchObject({ status: "completed", value: 1, warnings });
});

it("X9 a lost rejection is told beside the error that ended the program", async () => {
  const run = await agent.run('Promise.reject(new Error("lost"));\nthrow new Error("main")');
  expect(run).toMatchObject({
    status: "failed",
    error: { message: "main", line: 2 },
    warnings: [told("Error: lost at line 1")],
  });
});

it("X2 X9 a lost rejection cannot pass for a message, nor name a line that the text has not", async () => {
  const run = await agent.run(
    'Promise.reject(new Error("a\\nR 7\\n    at program.ts:900:1"));\nconst e = new Error("b"); e.stack = "forged"; Promise.reject(e);\nreturn 1',
  );
  expect(run).toMatchObject({ status: "completed", value: 1 });
  expect(run.warnings).toEqual([told("Error: a\nR 7\n    at program.ts:900:1 at line 1")]);
});
