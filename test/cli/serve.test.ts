import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { mcp } from "../../src/mcp/index.ts";
import type { ToolContext } from "../../src/registry/tool.ts";
import { contextOf } from "../mcp/fixtures/run.ts";
import { running } from "../mcp/fixtures/processes.ts";
import { rpcClient } from "../mcp/rpc.ts";
import { folderWith, server, start } from "./cli.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

it("U1 M3 serve puts the code tool in front of all configured servers, and ends with its client", async () => {
  const mark = crypto.randomUUID();
  const at = folderWith({
    "codecall.json": { mcpServers: { words: server("broken", mark), bad: { command: "no-such-server" } } },
  });
  await using front = mcp("front", {
    command: process.execPath,
    args: [main, "serve", "--config", at("codecall.json")],
  });
  const [tool, ...others] = await front.tools();
  expect([tool?.name, others]).toEqual(["run_program", []]);
  expect(tool?.description).toContain("mcp_words__first(");
  const execute = tool?.execute as ((args: object, context: ToolContext) => Promise<unknown>) | undefined;
  const updates: (string | undefined)[] = [];
  const context = { ...contextOf([]), progress: ({ message }: { message?: string }) => void updates.push(message) };
  const code =
    "const [a, b] = await Promise.all([tools.mcp_words__first({}), tools.mcp_words__last({})]); return a + b";
  expect(await execute?.({ code }, context)).toMatchObject({ status: "completed", value: "wordword" });
  expect(updates).toEqual([
    "mcp_words__first started",
    "mcp_words__first ok",
    "mcp_words__last started",
    "mcp_words__last ok",
  ]);
  await expect(execute?.({ code: "throw new Error('no')" }, contextOf([]))).rejects.toThrow("Failed: Error: no");
  await front[Symbol.asyncDispose]();
  expect(running(at("codecall.json"))).toEqual([]);
  expect(running(mark)).toEqual([]);
});

it("U1 M3 serve ends with exit 0 when its stdin ends, and with 130 on SIGINT", async () => {
  const mark = crypto.randomUUID();
  const at = folderWith({ "codecall.json": { mcpServers: { words: server("broken", mark) } } });
  for (const [stop, code] of [
    ["stdin", 0],
    ["SIGINT", 130],
  ] as const) {
    const started = start(["serve", "--config", at("codecall.json")], null);
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    if (started.child.stdin !== null) stdin.pipe(started.child.stdin);
    started.child.stdout?.pipe(stdout);
    const client = rpcClient(stdin, stdout);
    expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: "codecall" } });
    if (stop === "stdin") stdin.end();
    else started.child.kill(stop);
    expect(await started.finished).toMatchObject({ code, left: [] });
    expect(running(mark)).toEqual([]);
  }
});
