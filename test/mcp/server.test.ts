import { PassThrough } from "node:stream";
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
import { silent } from "../../src/log.ts";
import { serve } from "../../src/mcp/index.ts";
import { answerRequests } from "../../src/mcp/requests.ts";
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

describe("the record of a request", () => {
  it("M3 C13 is given to the host, whose failure to keep it is logged and harms no answer", async () => {
    const agent = await deployment().agent("served", { form: "code", runtime });
    const client = rpcClient();
    const kept: string[][] = [];
    const logged: [string, unknown][] = [];
    const served = await serve(agent, {
      stdin: client.stdin,
      stdout: client.stdout,
      logger: { warn: () => undefined, error: (message, data) => void logged.push([message, data?.cause]) },
      onRecord(entries) {
        kept.push(entries.map(({ tool }) => tool));
        if (kept.length === 1) throw new Error("disk full");
        return kept.length === 2 ? Promise.reject(new Error("still full")) : undefined;
      },
    });
    await client.initialize();
    const code = "return await tools.add({ a: 1, b: 2 })";
    for (let at = 0; at < 3; at += 1) {
      const { result } = await client.request("tools/call", call("run_program", { code }));
      expect(result).toMatchObject({ structuredContent: { status: "completed", value: { sum: 3 } } });
    }
    expect(kept).toEqual([["add"], ["add"], ["add"]]);
    expect(logged.map(([message, cause]) => [message, String(cause)])).toEqual([
      ["the record of a request could not be kept: onRecord failed", "Error: disk full"],
      ["the record of a request could not be kept: onRecord failed", "Error: still full"],
    ]);
    await served.close();
  });
});

it("M3 closing waits for the record that is being kept", async () => {
  const agent = await deployment().agent("served", { form: "both", runtime });
  const client = rpcClient();
  const keeping = Promise.withResolvers<void>();
  const order: string[] = [];
  const served = await serve(agent, {
    stdin: client.stdin,
    stdout: client.stdout,
    onRecord: () => keeping.promise.then(() => void order.push("kept")),
  });
  await client.initialize();
  const { result } = await client.request("tools/call", call("add", { a: 1, b: 2 }));
  expect(result).toMatchObject({ structuredContent: { sum: 3 } });
  const closing = served.close().then(() => order.push("closed"));
  setImmediate(() => keeping.resolve());
  await closing;
  expect(order).toEqual(["kept", "closed"]);
});

it.each([
  [{ stdim: 1 }, 'serve has no option "stdim"; there are stdin, stdout, tenant, onRecord, logger'],
  [{ onRecord: 1 }, "option onRecord of serve must be a function, got 1"],
  [{ tenant: "" }, 'the tenant of serve must be text that is not empty, got ""'],
])("M3 F6 the options %j are refused", async (options, message) => {
  const agent = await deployment().agent("served");
  await expect(serve(agent, options as object)).rejects.toMatchObject({ code: "invalid_options", message });
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

it("M3 each request is a session of its own, disposed once its record is told", async () => {
  const agent = await deployment().agent("served", { form: "code", runtime });
  const opened: string[] = [];
  const ended: string[] = [];
  const counting: Agent = {
    ...agent,
    async session(id, options) {
      const session = await agent.session(id, options);
      opened.push(id);
      const dispose = session[Symbol.asyncDispose].bind(session);
      return {
        ...session,
        async [Symbol.asyncDispose]() {
          await dispose();
          ended.push(`${id} after ${kept} records`);
        },
      };
    },
  };
  let kept = 0;
  const client = rpcClient();
  const served = await serve(counting, {
    stdin: client.stdin,
    stdout: client.stdout,
    onRecord: () => void (kept += 1),
  });
  await client.initialize();
  for (let at = 0; at < 2; at += 1) await client.request("tools/call", call("run_program", { code: "return 1" }));
  await served.close();
  expect(new Set(opened).size).toBe(2);
  expect(ended).toEqual([`${opened[0]} after 1 records`, `${opened[1]} after 2 records`]);
});

it("M3 X19 a client that can no longer be read or written is lost in order, and its programs stopped", async () => {
  for (const breaks of ["line", "stdout", "stdin"] as const) {
    const running = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<unknown>();
    const scope = createDeployment();
    scope.tool(
      defineTool({
        name: "hang",
        description: "Returns when stopped.",
        inputSchema: { type: "object" },
        effects: ["read"],
        execute: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              stopped.resolve(signal.reason);
              reject(signal.reason as Error);
            });
            running.resolve();
          }),
      }),
    );
    const agent = await scope.agent("served", { form: "code", runtime });
    const client = rpcClient();
    const stdout = new PassThrough();
    stdout.pipe(client.stdout);
    const logged: unknown[] = [];
    const served = await serve(agent, {
      stdin: client.stdin,
      stdout,
      logger: { warn: () => undefined, error: (message, data) => void logged.push([message, String(data?.cause)]) },
    });
    await client.initialize();
    void client.request("tools/call", call("run_program", { code: "await tools.hang({})" }));
    await running.promise;
    const broken = new Error("write EPIPE");
    if (breaks === "line") client.stdin.write(Buffer.alloc(67_108_865, "x"));
    else (breaks === "stdin" ? client.stdin : stdout).destroy(broken);
    await served.closed;
    expect(await stopped.promise).toBeDefined();
    const cause = breaks === "line" ? "the client sent a line of more than 67108864 bytes" : "write EPIPE";
    expect(logged).toEqual([["the client was lost", `Error: ${cause}`]]);
    await served.close();
  }
});

it("M3 a message of the largest arguments is read", async () => {
  const agent = await deployment().agent("served", { form: "code", runtime });
  const client = rpcClient();
  const served = await serve(agent, { stdin: client.stdin, stdout: client.stdout });
  await client.initialize();
  const { result } = await client.request("tools/call", call("run_program", { code: `//${"x".repeat(16_777_216)}` }));
  expect(JSON.stringify(result)).toContain("source_too_large");
  await served.close();
});

it("M3 X19 a stdin that has ended before ends the server at once", async () => {
  const agent = await deployment().agent("served", { form: "code", runtime });
  const client = rpcClient();
  client.stdin.destroy();
  const served = await serve(agent, { stdin: client.stdin, stdout: client.stdout });
  expect(await served.closed).toBeUndefined();
});

it("M3 X19 a request that comes while the server closes runs nothing", async () => {
  const agent = await deployment().agent("served", { form: "both", runtime });
  const requests = answerRequests(agent, { tenant: "t", onRecord: undefined, logger: silent });
  const use = { id: "1", name: "wait.long", input: {} };
  const answer = requests.answer(use, new AbortController().signal, () => undefined);
  const [refused] = await Promise.allSettled([answer, requests.close()]);
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "session_closed" } });
});
