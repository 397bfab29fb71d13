import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
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

const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  void respond(request, response);
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = (request.method === "POST" ? await json(request) : { method: "" }) as Rpc;
  if (method !== "") seen.push(header(request));
  if (id === undefined) response.writeHead(method === "" ? 405 : 202).end();
  else {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) }));
  }
}

const header = ({ headers }: IncomingMessage): string | undefined => headers.authorization;

function answer(method: string, params: Rpc["params"]): unknown {
  if (method === "initialize") {
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "web", version: "1" },
    };
  }
  if (method === "tools/list") {
    return { tools: [{ name: "hello", description: "Returns hello.", inputSchema: { type: "object" } }] };
  }
  return { content: [{ type: "text", text: '{"hello":"web"}' }] };
}

let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => void server.close());

it("M1 a server is reached by url, with the headers given; one that is gone fails by name and is tried again", async () => {
  await using source = mcp("web", { url, headers: { authorization: "Bearer x" } });
  const [tool] = await source.tools();
  const log: string[] = [];
  const execute = tool?.execute as ((args: object, context: ToolContext) => Promise<unknown>) | undefined;
  const call = async (): Promise<unknown> => await execute?.({}, contextOf(log));
  expect(await call()).toEqual({ hello: "web" });
  expect(new Set(seen)).toEqual(new Set(["Bearer x"]));

  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  expect(await call()).toMatchObject({ status: "error", error: { code: "source_disconnected" } });
  expect(await call()).toMatchObject({ effect: "none", error: { code: "source_disconnected" } });
  expect(log[0]).toContain(`MCP server "web" (${url}): lost during a call of "hello": fetch failed`);

  const { port } = new URL(url);
  await new Promise<void>((resolve) => void server.listen(Number(port), "127.0.0.1", resolve));
  expect(await call()).toEqual({ hello: "web" });
});

it("M1 a url that nobody answers is named, with what to do", async () => {
  await using source = mcp("web", { url: "http://127.0.0.1:9/mcp" });
  await expect(source.tools()).rejects.toMatchObject({
    code: "source_failed",
    message: expect.stringContaining('MCP server "web" (http://127.0.0.1:9/mcp): fetch failed') as string,
    hint: "check the address, and that the server is up",
  });
});
