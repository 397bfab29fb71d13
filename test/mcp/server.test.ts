import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Agent,
  createDeployment,
  createRuntime,
  defineTool,
  type Form,
  type Runtime,
  type Scope,
} from "../../src/index.ts";
import { serve } from "../../src/mcp/index.ts";
import { type RpcClient, rpcClient } from "./rpc.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ processes: { warm: 1 } });
});
afterAll(() => runtime.close());

const started = Promise.withResolvers<void>();
const aborted = Promise.withResolvers<unknown>();

function deployment(): Scope {
  const scope = createDeployment();
  scope.tool(
    defineTool({
      name: "add",
      description: "Adds two numbers and returns the sum.",
      inputSchema: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      effects: [],
      parallelSafe: true,
      execute: ({ a, b }, context) => {
        context.progress({ done: 1, total: 2, message: "half" });
        return { sum: Number(a) + Number(b) };
      },
    }),
  );
  scope.tool(
    defineTool({
      name: "wait.long",
      description: "Returns when stopped.",
      inputSchema: { type: "object" },
      effects: ["read"],
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve();
          signal.addEventListener("abort", () => {
            aborted.resolve(signal.reason);
            reject(signal.reason as Error);
          });
        }),
    }),
  );
  return scope;
}

async function connect(form: Form): Promise<{ client: RpcClient; agent: Agent; close: () => Promise<void> }> {
  const scope = deployment();
  const agent = await scope.agent("served", { form, runtime });
  const client = rpcClient();
  const served = await serve(agent, { stdin: client.stdin, stdout: client.stdout });
  await client.initialize();
  return { client, agent, close: () => served.close() };
}

const call = (name: string, args: object, meta?: object): object => ({
  name,
  arguments: args,
  ...(meta === undefined ? {} : { _meta: meta }),
});

describe("the code tool", () => {
  it("M3 in form code is the only tool, and its description holds the declarations", async () => {
    const { client, agent, close } = await connect("code");
    const { result } = await client.request("tools/list");
    const tools = result?.tools as { name: string; description: string; inputSchema: object }[];
    expect(tools.map(({ name }) => name)).toEqual(["run_program"]);
    expect(tools[0]?.description).toContain(agent.surface().declarations);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["code"] });
    await close();
  });

  it("M3 runs a program over everything configured", async () => {
    const { client, close } = await connect("code");
    const { result } = await client.request(
      "tools/call",
      call("run_program", { code: "const { sum } = await tools.add({ a: 1, b: 2 }); return { sum }" }),
    );
    expect(result).toEqual({
      content: [{ type: "text", text: expect.stringContaining('Completed. Value:\n{"sum":3}') as string }],
      structuredContent: { runId: expect.stringMatching(/^run_/) as string, status: "completed", value: { sum: 3 } },
    });
    await close();
  });

  it("M3 a program's failure is an error result with its frame", async () => {
    const { client, close } = await connect("code");
    const { result } = await client.request(
      "tools/call",
      call("run_program", { code: "const x = 1;\nthrow new Error('no')" }),
    );
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", error: { code: "program_error", message: "no" } },
    });
    expect(JSON.stringify(result)).toContain("> 2 |");
    await close();
  });

  it("M3 F2 a direct call of a tool in form code is refused as an error result", async () => {
    const { client, close } = await connect("code");
    const { result } = await client.request("tools/call", call("add", { a: 1, b: 2 }));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("only run_program can be called directly here");
    await close();
  });

  it("M3 G12 arguments without a program are an error that says how to call", async () => {
    const { client, close } = await connect("code");
    const { result } = await client.request("tools/call", { name: "run_program" });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("run_program takes one object with the program as text");
    await close();
  });

  it("M3 a large value is in the text only", async () => {
    const { client, close } = await connect("code");
    const { result } = await client.request("tools/call", call("run_program", { code: "return 'x'.repeat(20000)" }));
    expect(Object.keys(result ?? {})).toEqual(["content"]);
    await close();
  });

  it("M3 progress is told where the client asks for it, ever growing, before the answer", async () => {
    const { client, close } = await connect("code");
    const code = "await tools.add({ a: 1, b: 2 }); return 1";
    await client.request("tools/call", call("run_program", { code }, { progressToken: "p1" }));
    const progress = client.received
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params);
    expect(progress).toEqual([
      { progressToken: "p1", progress: 1, message: "add started" },
      { progressToken: "p1", progress: 2, message: "add: half" },
      { progressToken: "p1", progress: 3, message: "add ok" },
    ]);
    expect(client.received.at(-1)?.result).toBeDefined();
    await client.request("tools/call", call("run_program", { code }));
    expect(client.received.filter(({ method }) => method === "notifications/progress")).toHaveLength(3);
    await close();
  });

  it("M3 C6 a cancelled request ends its program and signals its tool", async () => {
    const { client, close } = await connect("code");
    client.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 99, method: "tools/call", params: call("run_program", { code: 'await tools["wait.long"]({})' }) })}\n`,
    );
    await started.promise;
    client.notify("notifications/cancelled", { requestId: 99, reason: "enough" });
    expect(await aborted.promise).toBeDefined();
    expect((await client.request("tools/call", call("run_program", { code: "return 1" }))).result).toMatchObject({
      structuredContent: { value: 1 },
    });
    expect(client.received.filter(({ id }) => id === 99)).toEqual([]);
    await close();
  });
});

describe("form both", () => {
  it("M3 offers the tools beside the code tool, and calls them by their provider names", async () => {
    const { client, close } = await connect("both");
    const { result } = await client.request("tools/list");
    const tools = result?.tools as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["run_program", "add", expect.stringMatching(/^wait_long/)]);
    const added = await client.request("tools/call", call("add", { a: 1, b: 2 }));
    expect(added.result).toEqual({ content: [{ type: "text", text: '{"sum":3}' }], structuredContent: { sum: 3 } });
    const wrong = await client.request("tools/call", call("add", { a: "x" }));
    expect(wrong.result).toMatchObject({ isError: true });
    expect(JSON.stringify(wrong.result)).toContain("[arguments_invalid]");
    await close();
  });
});

it("M3 X19 the end of stdin ends the session", async () => {
  const scope = deployment();
  const agent = await scope.agent("served", { form: "code", runtime });
  const client = rpcClient();
  const served = await serve(agent, { stdin: client.stdin, stdout: client.stdout });
  await client.initialize();
  client.stdin.end();
  await served.closed;
  await served.close();
  expect(runtime.signal.aborted).toBe(false);
});
