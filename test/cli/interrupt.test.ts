import { describe, expect, it } from "vitest";
import { running } from "../mcp/fixtures/processes.ts";
import { rpcClient } from "../mcp/rpc.ts";
import { cli, folderWith, server, start } from "./cli.ts";

const tools = `
export const loose = {
  name: "loose", description: "Leaves a rejection behind.", effects: ["write"],
  execute: () => { Promise.reject(new Error("nobody waits")); return new Promise((resolve) => setTimeout(() => resolve(1), 20)); },
};
export const timer = {
  name: "timer", description: "Throws in a timer.", effects: ["write"],
  execute: (_, { signal }) => {
    setTimeout(() => { throw new RangeError("from a timer"); }, 1);
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      setTimeout(() => resolve(2), 1_000);
    });
  },
};
export const quit = { name: "quit", description: "Ends the process.", effects: [], execute: () => process.exit(0) };
`;

const withTools = (text: string): string =>
  folderWith({ "tools.mjs": text, "codecall.json": { tools: "./tools.mjs" } })("codecall.json");

describe("a module that hangs at its import", () => {
  const commands = [["run", "-"], ["types"], ["serve"], ["doctor"]] as const;

  it.each(commands.flatMap((command) => (["SIGINT", "SIGTERM"] as const).map((signal) => ({ command, signal }))))(
    "U1 $command is ended by $signal, and nothing is left",
    async ({ command, signal }) => {
      const hanging = `console.log("loading"); await new Promise(() => {});`;
      const started = start([...command, "--config", withTools(hanging)], command[0] === "serve" ? null : "return 1");
      await started.said("loading");
      started.child.kill(signal);
      const finished = await started.finished;
      expect(finished).toEqual({
        code: signal === "SIGINT" ? 130 : 143,
        stdout: "",
        stderr: `loading\nerror: interrupted by ${signal}\n`,
        left: [],
      });
    },
  );

  it.each([["types"], ["doctor"]])("U1 %s is ended by a signal while servers start, which it ends", async (command) => {
    const mark = crypto.randomUUID();
    const at = folderWith({ "codecall.json": { mcpServers: { slow: server("silent", mark) } } });
    const started = start([command, "--config", at("codecall.json")]);
    await expect.poll(() => running(mark).length, { timeout: 20_000 }).toBeGreaterThan(0);
    started.child.kill("SIGTERM");
    expect(await started.finished).toMatchObject({ code: 143, stdout: "", left: [] });
    expect(running(mark)).toEqual([]);
  });
});

describe("what ends the process before the command does", () => {
  const early = "error: the process ended before the command did; a configured module must not call process.exit\n";

  it.each(["process.exit(0)", "process.exitCode = 0; process.exit()"])(
    "U1 %s in a module at its import is exit 1",
    async (text) => {
      expect(await cli(["run", "-", "--config", withTools(text)], "return 1")).toEqual({
        code: 1,
        stdout: "",
        stderr: early,
        left: [],
      });
    },
  );

  it("U1 process.exit(0) in a tool is exit 1", async () => {
    const finished = await cli(["run", "-", "--config", withTools(tools)], "return await tools.quit({})");
    expect([finished.code, finished.stdout, finished.stderr]).toEqual([1, "", early]);
  });
});

describe("what nothing catches", () => {
  it("U1 a rejection is told with its stack, and the program goes on", async () => {
    const { code, stdout, stderr } = await cli(
      ["run", "-", "--config", withTools(tools)],
      "return await tools.loose({})",
    );
    expect([code, stdout]).toEqual([0, "1\n"]);
    expect(stderr).toMatch(
      /^error: a promise that nothing awaits was rejected\n {2}Error: nobody waits\n {6}at .*tools\.mjs:4:/,
    );
    expect(stderr).toMatch(/calls of run_\w+ \(1\):\n- done: #1 loose\n$/);
  });

  it("U1 an exception ends the run with its calls settled and told, and exit 1", async () => {
    const { code, stdout, stderr, left } = await cli(
      ["run", "-", "--json", "--config", withTools(tools)],
      "return await tools.timer({})",
    );
    expect([code, left]).toEqual([1, []]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "cancelled",
      error: { code: "aborted", message: "an exception that nothing catches ended the command" },
      calls: [{ tool: "timer", status: "cancelled", effect: "unknown" }],
    });
    expect(stderr).toMatch(
      /^error: an exception was thrown that nothing catches\n {2}RangeError: from a timer\n {6}at .*tools\.mjs:9:/,
    );
    expect(stderr).toContain("- unknown whether it took effect (check before repeating): #1 timer");
  });

  it("U1 an exception while a module loads is exit 1", async () => {
    const text = `setTimeout(() => { throw "early"; }, 1); await new Promise(() => {});`;
    expect(await cli(["types", "--config", withTools(text)])).toMatchObject({
      code: 1,
      stderr:
        "error: an exception was thrown that nothing catches\n  'early'\nerror: an exception that nothing catches ended the command\n",
    });
  });

  it("U1 M3 serve tells of both and goes on", async () => {
    const started = start(["serve", "--config", withTools(tools)], null);
    const client = rpcClient();
    if (started.child.stdin !== null) client.stdin.pipe(started.child.stdin);
    started.child.stdout?.pipe(client.stdout);
    await client.initialize();
    const code = "return [await tools.loose({}), await tools.timer({})]";
    const { result } = await client.request("tools/call", { name: "run_program", arguments: { code } });
    expect(result).toMatchObject({ structuredContent: { status: "completed", value: [1, 2] } });
    client.stdin.end();
    const finished = await started.finished;
    expect(finished.code).toBe(0);
    expect(finished.stderr).toContain("Error: nobody waits");
    expect(finished.stderr).toContain("RangeError: from a timer");
  });
});
