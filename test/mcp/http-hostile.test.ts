import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mcp } from "../../src/mcp/index.ts";
import type { ToolContext } from "../../src/registry/tool.ts";
import { contextOf } from "./fixtures/run.ts";

interface Rpc {
  readonly id?: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const object = { type: "object" };
const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

/** Writes until the client has gone. */
async function endless(response: ServerResponse, chunk: string): Promise<void> {
  const gone = new Promise<void>((resolve) => void response.once("close", resolve));
  while (!response.destroyed) {
    if (!response.write(chunk)) {
      await Promise.race([gone, new Promise<void>((resolve) => void response.once("drain", resolve))]);
    }
  }
}

const answers: Readonly<Record<string, (response: ServerResponse, id: number) => unknown>> = {
  large_body: (response) => endless(json200(response), " ".repeat(65_536)),
  endless_line: (response) => endless(stream(response), `data:${"x".repeat(65_536)}`),
  endless_event: (response) => endless(stream(response), `data: ${"x".repeat(1_000)}\r\n`.repeat(60)),
  flood: (response) => endless(stream(response), `data: ${changed}\n\n`.repeat(1_000)),
  batch: (response) => json200(response).end(`[${Array.from({ length: 20_000 }, () => changed).join()}]`),
  no_answer: (response) => stream(response).end(": nothing to say\n\n"),
  no_result: (response, id) => stream(response).end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: 5 })}\n\n`),
  fine: (response, id) => {
    const result = { content: [{ type: "text", text: "fine" }] };
    const padding = `: ${"x".repeat(1_000)}\n\n`.repeat(40_000);
    stream(response).end(`${padding}data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
  },
};

const json200 = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "application/json" });
const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

const server = createServer((request, response) => {
  if (request.method !== "POST") response.writeHead(405).end();
  else void json(request).then((rpc) => respond(rpc as Rpc, response));
});

function respond({ id, method, params }: Rpc, response: ServerResponse): void {
  if (id === undefined) response.writeHead(202).end();
  else if (method === "tools/call") answers[String(params.name)]?.(response, id);
  else {
    const tools = Object.keys(answers).map((name) => ({ name, description: "Returns.", inputSchema: object }));
    const { protocolVersion } = params;
    const serverInfo = { name: "web", version: "1" };
    const result = method === "tools/list" ? { tools } : { protocolVersion, capabilities: { tools: {} }, serverInfo };
    json200(response).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }
}

let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const tooLarge = 'lost during a call of "X": it sent a message of more than 33554432 bytes';
const flooded =
  'lost during a call of "X": it sent more than 10000 messages that nobody asked for, faster than 1000 a second';

it.each([
  ["large_body", tooLarge],
  ["endless_line", tooLarge],
  ["endless_event", tooLarge],
  ["flood", flooded],
  ["batch", flooded],
  ["no_answer", 'no answer to a call of "X": the server ended the stream without an answer'],
  ["no_result", 'no answer to a call of "X": the server ended the stream without an answer'],
])(
  "M1 C5 over http, %s ends the call at once with its effect left open, and the next call works",
  async (name, why) => {
    await using source = mcp("web", { url });
    const log: string[] = [];
    const tools = await source.tools();
    const call = async (tool: string): Promise<unknown> => {
      const execute = tools.find((each) => each.name === tool)?.execute;
      return await (execute as (args: object, context: ToolContext) => Promise<unknown>)({}, contextOf(log));
    };
    const result = await call(name);
    const code = name.startsWith("no_") ? "source_answer_invalid" : "source_disconnected";
    expect(result).toMatchObject({ status: "error", error: { code } });
    expect(result).not.toHaveProperty("effect");
    expect(log).toEqual([`MCP server "web" (${url}): ${why.replace("X", name)}`]);
    expect(await call("fine")).toBe("fine");
  },
);
