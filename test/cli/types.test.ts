import { expect, it } from "vitest";
import { running } from "../mcp/fixtures/processes.ts";
import { cli, folderWith, server } from "./cli.ts";

it("U1 D1 types prints the declarations of all configured tools, and the warnings about them on stderr", async () => {
  const mark = crypto.randomUUID();
  const at = folderWith({ "codecall.json": { mcpServers: { words: server("broken", mark) } } });
  const finished = await cli(["types", "--config", at("codecall.json")]);
  expect([finished.code, finished.left]).toEqual([0, []]);
  expect(finished.stdout).toContain("mcp_words__first(");
  expect(finished.stdout).toContain("mcp_words__last(");
  expect(finished.stdout).toContain("declare const tools");
  expect(finished.stderr).toContain('source "words": its tool number 4 is left out');
  expect(running(mark)).toEqual([]);
});

it("U1 types prints what it has and exits with 1 where a server is missing", async () => {
  const at = folderWith({
    "codecall.json": { mcpServers: { words: server("broken"), bad: { command: "no-such-server" } } },
  });
  const finished = await cli(["types", "--config", at("codecall.json")]);
  expect(finished.code).toBe(1);
  expect(finished.stdout).toContain("mcp_words__first(");
  expect(finished.stderr).toContain(
    'error: MCP server "bad" (no-such-server): the command "no-such-server" was not found',
  );
});

it.each([{}, { mcpServers: { words: server("broken") }, servers: { words: { disabled: true } } }])(
  "U1 types with the configuration %j says that it has no tools, and prints the declarations",
  async (config) => {
    const at = folderWith({ "codecall.json": config });
    const { code, stdout, stderr } = await cli(["types", "--config", at("codecall.json")]);
    expect(code).toBe(0);
    expect(stdout).toContain("declare const tools");
    expect(stderr).toBe(
      `warning: ${at("codecall.json")} configures no tools; name servers in "mcpServers" or a module in "tools"\n`,
    );
  },
);
