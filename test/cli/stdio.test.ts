import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RpcClient, rpcClient } from "../mcp/rpc.ts";
import { cli, type Finished, folderWith, start, type Started } from "./cli.ts";

const noisy = `
console.log("loading");
process.stdout.write("still loading\\n");
export default [
  {
    name: "noisy", description: "Prints and returns 1.", effects: ["read"],
    execute: async () => {
      console.log("printed \\u001b[31mred\\u001b[0m");
      console.table([1]);
      process.stdout.write(new TextEncoder().encode("bytes é\\n"));
      process.stderr.write("\\u001b[2Jerr\\n");
      await new Promise((resolve) => process.stdout.write("746f6c640a", "hex", resolve));
      await new Promise((resolve) => process.stdout.write("and told\\n", resolve));
      return 1;
    },
  },
  {
    name: "wait", description: "Returns never.", effects: ["write"],
    execute: (_, { signal }) => new Promise((_, reject) => {
      console.log("waiting");
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
  },
  { name: "boom", description: "Breaks.", effects: ["write"], execute: () => { throw new Error("my own bug") } },
  { name: "bad", description: "Fails with \\u001b[2J.", effects: ["read"], execute: () => { throw new Error("\\u001b[2Jbad\\u0007") } },
];
`;
const said = ["loading", "still loading", "printed red", "bytes é", "err", "told", "and told"];

async function run(program: string, ...options: readonly string[]): Promise<Finished> {
  const at = folderWith({ "tools.mjs": noisy, "codecall.json": { tools: "./tools.mjs" } });
  return await cli(["run", "-", "--config", at("codecall.json"), ...options], program);
}

async function serving(config: string): Promise<{ readonly started: Started; readonly client: RpcClient }> {
  const started = start(["serve", "--config", config], null);
  const client = rpcClient();
  if (started.child.stdin !== null) client.stdin.pipe(started.child.stdin);
  started.child.stdout?.pipe(client.stdout);
  await client.initialize();
  return { started, client };
}

describe("what a tools module prints", () => {
  it("U1 goes to stderr, and the value alone to stdout", async () => {
    const { code, stdout, stderr } = await run("return await tools.noisy({})");
    expect([code, stdout]).toEqual([0, "1\n"]);
    expect(stderr.split("\n").filter((line) => said.includes(line))).toEqual(said);
  });

  it("U1 is not in the one result of --json", async () => {
    const { stdout } = await run("return await tools.noisy({})", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", value: 1 });
    expect(stdout.split("\n")).toHaveLength(2);
  });

  it("U1 is not among the declarations of types", async () => {
    const at = folderWith({ "tools.mjs": noisy, "codecall.json": { tools: "./tools.mjs" } });
    const { stdout, stderr } = await cli(["types", "--config", at("codecall.json")]);
    expect(stdout).toContain("declare const tools");
    expect(stdout).not.toContain("loading");
    expect(stderr).toContain("loading\nstill loading\n");
  });

  it("U1 M3 is not among the messages of serve", async () => {
    const at = folderWith({ "tools.mjs": noisy, "codecall.json": { tools: "./tools.mjs" } });
    const { started, client } = await serving(at("codecall.json"));
    const { result } = await client.request("tools/call", {
      name: "run_program",
      arguments: { code: "return await tools.noisy({})" },
    });
    expect(result).toMatchObject({ structuredContent: { status: "completed", value: 1 } });
    client.stdin.end();
    const finished = await started.finished;
    const messages = finished.stdout.trimEnd().split("\n");
    expect(messages.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(["2.0", "2.0"]);
    expect(finished.stderr.split("\n").filter((line) => said.includes(line))).toEqual(said);
  });
});

describe("what breaks", () => {
  it("U1 a tool that throws is in the host's log with its correlation id, message and stack", async () => {
    const { code, stdout, stderr } = await run("return await tools.boom({}).catch((error) => error.message)");
    expect(code).toBe(0);
    const id = /\[([0-9a-f]{8})\]/.exec(JSON.parse(stdout) as string)?.[1] ?? "none";
    expect(stdout).not.toContain("my own bug");
    expect(stderr).toMatch(
      new RegExp(`^error: tool "boom" threw \\[${id}\\]\\n {2}Error: my own bug\\n {6}at .*tools\\.mjs:24:\\d+`, "m"),
    );
  });
});

describe("terminal sequences", () => {
  const control = /[^\P{Cc}\n\t]/u;

  it("U1 of a program's console, error and tools do not reach stderr", async () => {
    const { code, stdout, stderr } = await run(
      'console.log("\\u001b[2Jone\\u0008"); await tools.bad({}).catch(() => 0); throw new Error("\\u009b31mtwo\\u0007")',
    );
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("one\uFFFD\n");
    expect(stderr).toContain("error: Error: two\uFFFD [program_error]");
    expect(stderr).not.toMatch(control);
  });

  it.each([[], ["--json"]])("U1 of a value are escaped on stdout with %j", async (...options) => {
    const value = { "a\u009B": "\u001B[2J \u007F \u0085 é" };
    const { stdout } = await run(`return ${JSON.stringify(value)}`, ...options);
    expect(stdout).not.toMatch(control);
    const read = JSON.parse(stdout) as { readonly value?: unknown };
    expect(options.length === 0 ? read : read.value).toEqual(value);
  });

  it("U1 M1 of a server's stderr and of an argument do not reach stderr or doctor", async () => {
    const bad = {
      command: process.execPath,
      args: ["-e", 'process.stderr.write("\\u001b[2Jgone\\u0007"); process.exit(1)'],
    };
    const at = folderWith({ "codecall.json": { mcpServers: { bad } } });
    const { stderr } = await cli(["run", "-", "--config", at("codecall.json")], "return 1");
    expect(stderr).toContain("its stderr ends with:\ngone\uFFFD\n");
    expect(stderr).not.toMatch(control);
    const { stdout } = await cli(["doctor", "--config", at("codecall.json")]);
    expect(stdout).toContain("its stderr ends with:\ngone\uFFFD\n");
    expect(stdout).not.toMatch(control);
    expect((await cli(["run", "--\u001B[2J"])).stderr).not.toMatch(control);
  });
});

describe("the record of serve", () => {
  it("U1 M3 J2 each request's calls are appended, as those of run are", async () => {
    const record = join(mkdtempSync(join(tmpdir(), "codecall-record-")), "deep/record.jsonl");
    const at = folderWith({ "tools.mjs": noisy, "codecall.json": { tools: "./tools.mjs", form: "both", record } });
    const { started, client } = await serving(at("codecall.json"));
    const code = "await tools.noisy({}); await tools.boom({}).catch(() => 0); return 1";
    await client.request("tools/call", { name: "run_program", arguments: { code } });
    expect(readFileSync(record, "utf8").trimEnd().split("\n")).toHaveLength(2);
    await client.request("tools/call", { name: "noisy", arguments: {} });
    client.stdin.end();
    await started.finished;
    const entries = readFileSync(record, "utf8").trimEnd().split("\n");
    expect(entries.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq: 1, tool: "noisy", caller: "program", status: "ok" },
      { seq: 2, tool: "boom", caller: "program", status: "error", effect: "unknown" },
      { seq: 1, tool: "noisy", caller: "model", status: "ok" },
    ]);
  });

  it.each(["stdin", "SIGINT"] as const)("U1 M3 J2 a request that ends with its server by %s is in it", async (end) => {
    const at = folderWith({ "tools.mjs": noisy, "codecall.json": { tools: "./tools.mjs", record: "record.jsonl" } });
    const { started, client } = await serving(at("codecall.json"));
    void client.request("tools/call", { name: "run_program", arguments: { code: "await tools.wait({})" } });
    await started.said("waiting");
    if (end === "stdin") client.stdin.end();
    else started.child.kill(end);
    expect(await started.finished).toMatchObject({ code: end === "stdin" ? 0 : 130, left: [] });
    const entries = readFileSync(at("record.jsonl"), "utf8").trimEnd().split("\n");
    expect(entries.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq: 1, tool: "wait", status: "cancelled", effect: "unknown" },
    ]);
  });

  it("U1 M3 a record that cannot be written is told, and the request is answered", async () => {
    const at = folderWith({
      "tools.mjs": noisy,
      "codecall.json": { tools: "./tools.mjs", record: "late/record" },
    });
    const { started, client } = await serving(at("codecall.json"));
    writeFileSync(at("late"), "");
    const { result } = await client.request("tools/call", {
      name: "run_program",
      arguments: { code: "return await tools.noisy({})" },
    });
    expect(result).toMatchObject({ structuredContent: { value: 1 } });
    client.stdin.end();
    const { code, stderr } = await started.finished;
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: the record could not be written to ${at("late/record")}: `);
  });
});

describe.skipIf(process.platform !== "linux")("a result that cannot be written", () => {
  const main = join(import.meta.dirname, "../../dist/cli/main.js");

  it.each([
    ["return 1", [], 1],
    ["return 1", ["--json"], 1],
    ["throw new Error('no')", ["--json"], 1],
  ])("U1 of %j with %j is told, with exit %d", (program, options, code) => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [main, "run", "-", ...options], {
      input: program,
      stdio: ["pipe", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect(status).toBe(code);
    expect(stderr).toMatch(/error: the result could not be written: ENOSPC: no space left on device, write\n$/);
  });

  it("U1 is no failure where its reader has left", async () => {
    const started = start(["run", "-"], null);
    started.child.stdout?.destroy();
    started.child.stdin?.end(`return "x".repeat(200_000)`);
    expect(await started.finished).toMatchObject({ code: 0, stderr: "" });
  });
});
