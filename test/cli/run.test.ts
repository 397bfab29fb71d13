import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture } from "../mcp/fixtures/run.ts";
import { running } from "../mcp/fixtures/processes.ts";
import { descendantsOf, gone } from "../runtime/processes.ts";
import { cli, folderWith, server, start } from "./cli.ts";

const toolsModule = `
let count = 0;
export const add = {
  name: "add", description: "Adds two numbers and returns the sum.", effects: [], parallelSafe: true,
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: ({ a, b }) => a + b,
};
const save = { name: "save", description: "Saves and returns a count.", effects: ["write"], execute: () => (count += 1) };
const wait = { name: "wait", description: "Returns never.", effects: ["read"], execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) };
export default [save, wait];
export const helper = "no tool";
`;

describe("a program", () => {
  it("U1 prints its value on stdout and nothing else there", async () => {
    expect(await cli(["run", "-"], "return { answer: 6 * 7 }")).toEqual({
      code: 0,
      stdout: '{\n  "answer": 42\n}\n',
      stderr: "",
      left: [],
    });
  });

  it("U1 X10 says on stderr where its value is shortened", async () => {
    const { code, stdout, stderr } = await cli(["run", "-"], "return Array.from({ length: 60_000 }, (_, n) => n)");
    const kept = (JSON.parse(stdout) as number[]).length;
    expect(code).toBe(0);
    expect(stderr).toBe(
      `warning: the value is shortened from 348891 bytes: $ shows ${kept} of 60000; return less, or raise limits.returnBytes\n`,
    );
  });

  it("U1 is read from a file, in any accepted form", async () => {
    const at = folderWith({ "program.ts": "```ts\nconst xs: number[] = [1, 2];\nxs.map((x) => x * 2)\n```\n" });
    expect(await cli(["run", at("program.ts")])).toMatchObject({ code: 0, stdout: "[\n  2,\n  4\n]\n" });
  });

  it("U1 X10 what it logs goes to stderr in order", async () => {
    const { stdout, stderr } = await cli(
      ["run", "-"],
      'console.log("one", { a: 1 }); console.error("two"); return "done"',
    );
    expect(stdout).toBe('"done"\n');
    expect(stderr).toMatch(/^one .*a.*1.*\n\[error\] two\n$/);
  });

  it("U1 --json prints exactly one RunResult on stdout", async () => {
    const { code, stdout } = await cli(["run", "-", "--json"], 'console.log("hi"); return 1');
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({
      runId: expect.stringMatching(/^run_/) as string,
      status: "completed",
      value: 1,
      calls: [],
      console: [{ level: "log", text: "hi" }],
      warnings: [],
    });
  });

  it("U1 X9 that throws: exit 1, the error on the program's own line on stderr, nothing on stdout", async () => {
    const { code, stdout, stderr } = await cli(["run", "-"], 'const a = 1;\nthrow new RangeError("too far");');
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error: RangeError: too far [program_error]");
    expect(stderr).toContain("> 2 |");
  });

  it("U1 with --json a failure is the one RunResult too", async () => {
    const { code, stdout } = await cli(["run", "-", "--json"], "throw new Error('no')");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "failed",
      error: { code: "program_error", message: "no", line: 1 },
    });
  });

  it.each([
    ["", "program_empty"],
    ["  \n\t", "program_empty"],
    ["ls -la /tmp", "not_a_program"],
    ["const = 1", "syntax_error"],
    [`return "${"x".repeat(70_000)}"`, "source_too_large"],
  ])("U1 X1 the text %.20j fails with a clear code and exit 1", async (text, code) => {
    const finished = await cli(["run", "-", "--json"], text);
    expect(finished.code).toBe(1);
    expect(JSON.parse(finished.stdout)).toMatchObject({ status: "failed", error: { code } });
    expect(finished.stderr).toContain(`[${code}]`);
    expect(finished.left).toEqual([]);
  });

  it("U1 without a configuration there are no tools", async () => {
    const { code, stderr } = await cli(["run", "-"], "return await tools.read_file({})");
    expect(code).toBe(1);
    expect(stderr).toContain('error: there is no tool "read_file" [type_error]');
    expect(stderr).toContain("hint: There are no tools here.");
  });

  it("U1 X11 --check says what is done about a program that is surely wrong", async () => {
    const program = "return await tools.read_file({})";
    const unchecked = await cli(["run", "-", "--check", "off"], program);
    expect([unchecked.code, unchecked.stderr]).toEqual([
      1,
      expect.stringContaining('refused: #1 read_file (tool_not_offered: no tool "read_file" is offered here)'),
    ]);
    const warned = await cli(["run", "-", "--check", "warn"], program);
    expect(warned.stderr).toContain('warning: type check, line 1, column 20: there is no tool "read_file"');
    const misspelt = await cli(["run", "-", "--check", "wran"], program);
    expect([misspelt.code, misspelt.stderr]).toEqual([
      2,
      'error: --check must be one of "off", "warn", "refuse", got "wran"\n',
    ]);
  });
});

describe("tools of a module", () => {
  it("U1 S1 join by named export, array and default, with the ledger on stderr", async () => {
    const at = folderWith({ "tools.mjs": toolsModule, "codecall.json": { tools: "./tools.mjs" } });
    const { code, stdout, stderr } = await cli(
      ["run", "-", "--config", at("codecall.json")],
      "const sum = await tools.add({ a: 1, b: 2 }); await tools.save({}); return sum",
    );
    expect([code, stdout]).toEqual([0, "3\n"]);
    expect(stderr).toMatch(/^calls of run_\w+ \(2\):\n- done: #2 save\n- read: add\n$/);
  });

  it("U1 TypeScript modules are loaded as they are", async () => {
    const text = `import type { X } from "./none.ts";\nexport const one = { name: "one", description: "Returns one.", execute: (): number => 1 };\nexport type Y = X;\n`;
    const at = folderWith({ "tools.ts": text, "codecall.json": { tools: "tools.ts" } });
    expect(await cli(["run", "-", "--config", at("codecall.json")], "tools.one()")).toMatchObject({
      code: 0,
      stdout: "1\n",
    });
  });

  it.each([
    ["export const a = 1;", "exports no tool; export what `defineTool` returns, or an array of it"],
    ["throw new Error('no database')", "cannot be loaded: no database"],
    ["export const a = { name: '', description: '', execute() {} }", "tool"],
  ])("U1 the module %j is a configuration fault", async (text, message) => {
    const at = folderWith({ "tools.mjs": text, "codecall.json": { tools: "./tools.mjs" } });
    const { code, stdout, stderr } = await cli(["run", "-", "--config", at("codecall.json")], "return 1");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(message);
  });

  it("U1 G5 a policy of the configuration decides the calls", async () => {
    const at = folderWith({
      "tools.mjs": toolsModule,
      "policy.mjs":
        'export default ({ name }) => name === "save" ? { verdict: "refuse", message: "read only today" } : "allow";',
      "codecall.json": { tools: "./tools.mjs", policy: "./policy.mjs" },
    });
    const { code, stderr } = await cli(["run", "-", "--config", at("codecall.json")], "await tools.save({})");
    expect(code).toBe(1);
    expect(stderr).toContain("read only today");
  });

  it("U1 J2 the record is appended as JSON lines, one entry a call", async () => {
    const record = join(mkdtempSync(join(tmpdir(), "codecall-record-")), "deep/record.jsonl");
    const at = folderWith({ "tools.mjs": toolsModule, "codecall.json": { tools: "./tools.mjs", record } });
    const run = (text: string): Promise<unknown> =>
      cli(["run", "-", "--check", "off", "--config", at("codecall.json")], text);
    await run("await tools.add({ a: 1, b: 2 }); await tools.save({})");
    await run("await tools.add({ a: 'x', b: 2 })");
    const entries = readFileSync(record, "utf8").trimEnd().split("\n");
    expect(entries.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq: 1, tool: "add", args: { a: 1, b: 2 }, status: "ok", tenant: "local" },
      { seq: 2, tool: "save", args: {}, status: "ok", effect: "done" },
      { seq: 1, tool: "add", args: { a: "x", b: 2 }, status: "refused", failure: { code: "arguments_invalid" } },
    ]);
  });

  it("U1 limits of the configuration are in force", async () => {
    const at = folderWith({ "codecall.json": { limits: { cpuMs: 100 } } });
    const finished = await cli(["run", "-", "--config", at("codecall.json")], "for (;;) {}");
    expect(finished.code).toBe(1);
    expect(finished.stderr).toContain("[cpu_limit]");
    expect(finished.left).toEqual([]);
  });

  it("U1 X12 SIGINT ends the run with exit 130, its calls settled and no process left", async () => {
    const at = folderWith({ "tools.mjs": toolsModule, "codecall.json": { tools: "./tools.mjs" } });
    const started = start(
      ["run", "-", "--json", "--config", at("codecall.json")],
      'console.log("started"); await tools.wait({})',
    );
    await started.said("started");
    const below = descendantsOf(started.child.pid);
    started.child.kill("SIGINT");
    const { code, stdout, left } = await started.finished;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: "cancelled", error: { code: "aborted" } });
    expect(left).toEqual([]);
    await gone(below);
  });
});

describe("MCP servers", () => {
  const program = `
    const [first, last] = await Promise.all([tools.mcp_words__first({}), tools.mcp_words__last({})]);
    return first + last;`;

  it("U1 M1 are started, called and ended", async () => {
    const mark = crypto.randomUUID();
    const at = folderWith({ "codecall.json": { mcpServers: { words: server("broken", mark) } } });
    const finished = await cli(["run", "-", "--config", at("codecall.json")], program);
    expect([finished.code, finished.stdout, finished.left]).toEqual([0, '"wordword"\n', []]);
    expect(finished.stderr).toContain('source "words": its tool number 4 is left out');
    expect(running(mark)).toEqual([]);
  });

  it.each([
    [
      "does not start",
      { command: "no-such-server" },
      'MCP server "bad" (no-such-server): the command "no-such-server" was not found',
    ],
    ["exits at once", server("exits"), "it exited with code 1; its stderr ends with:\nno configuration found"],
    ["answers rubbish", server("rubbish", "only"), "it floods its stdout with what is no JSON-RPC message"],
  ])("U1 M1 a server that %s is named, and the others work", async (_, bad, message) => {
    const mark = crypto.randomUUID();
    const at = folderWith({ "codecall.json": { mcpServers: { bad, words: server("broken", mark) } } });
    const finished = await cli(["run", "-", "--config", at("codecall.json")], program);
    expect([finished.code, finished.stdout, finished.left]).toEqual([0, '"wordword"\n', []]);
    expect(finished.stderr).toContain(message);
    expect(finished.stderr).toContain("its tools are missing in this run");
    expect(running(mark)).toEqual([]);
  });

  it("U1 M1 a program that needs the tools of a server that did not start fails with exit 1", async () => {
    const at = folderWith({ "codecall.json": { mcpServers: { words: server("exits") } } });
    const { code, stderr } = await cli(["run", "-", "--config", at("codecall.json")], program);
    expect(code).toBe(1);
    expect(stderr).toContain('MCP server "words"');
    expect(stderr).toContain('error: there is no tool "mcp_words__first"\n');
  });

  it("U1 M1 C5 a server that dies mid-call: the call is unknown in the ledger, the others work, no orphan", async () => {
    const mark = join(mkdtempSync(join(tmpdir(), "codecall-dying-")), "starts");
    const at = folderWith({
      "codecall.json": { mcpServers: { dying: server("dying", mark), words: server("broken", mark) } },
    });
    const finished = await cli(
      ["run", "-", "--json", "--config", at("codecall.json")],
      `const failed = await tools.mcp_dying__die({}).catch((error) => [error.code, error.message]);
       return [failed, await tools.mcp_words__first({}), await tools.mcp_dying__starts({})]`,
    );
    expect(finished.code).toBe(0);
    expect(JSON.parse(finished.stdout)).toMatchObject({
      value: [
        [
          "source_disconnected",
          'the MCP server "dying" went away during the call, so what became of the call is not known',
        ],
        "word",
        "2",
      ],
      calls: [{ effect: "unknown" }, { status: "ok" }, { status: "ok" }],
    });
    expect(finished.stdout).not.toContain("12345");
    expect(finished.stderr).toContain(
      "it exited with code 3; its stderr ends with:\nout of memory, secret token 12345",
    );
    expect(running(mark)).toEqual([]);
  });

  it("U1 M1 a server that floods mid-call ends the call, not the run", async () => {
    const mark = crypto.randomUUID();
    const at = folderWith({ "codecall.json": { mcpServers: { noisy: server("rubbish", mark) } } });
    const finished = await cli(
      ["run", "-", "--config", at("codecall.json")],
      "const code = await tools.mcp_noisy__lines({}).catch((error) => error.code); return [code, await tools.mcp_noisy__fine({})]",
    );
    expect([finished.code, JSON.parse(finished.stdout)]).toEqual([0, ["source_disconnected", "fine"]]);
    expect(finished.left).toEqual([]);
    expect(running(mark)).toEqual([]);
  });

  it("U1 SIGINT while servers start ends them and exits with 130", async () => {
    const mark = crypto.randomUUID();
    const at = folderWith({ "codecall.json": { mcpServers: { slow: server("silent", mark) } } });
    const started = start(["run", "-", "--config", at("codecall.json")], "return 1");
    await expect.poll(() => running(`${fixture("silent")}\0${mark}`).length, { timeout: 20_000 }).toBe(1);
    started.child.kill("SIGINT");
    const finished = await started.finished;
    expect([finished.code, finished.stdout, finished.left]).toEqual([130, "", []]);
    expect(running(mark)).toEqual([]);
  });

  it("U1 M1 the filesystem server reads files of this repository", async () => {
    const root = join(import.meta.dirname, "../..");
    const filesystem = join(root, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
    expect(existsSync(filesystem)).toBe(true);
    const mark = folderWith({ "note.txt": "hello" });
    const at = folderWith({
      "codecall.json": {
        mcpServers: { files: { command: process.execPath, args: [filesystem, mark("")] } },
        servers: { files: { prefix: "fs_", trusted: true } },
      },
    });
    const finished = await cli(
      ["run", "-", "--json", "--config", at("codecall.json")],
      `const { content } = await tools.fs_read_text_file({ path: ${JSON.stringify(mark("note.txt"))} });
       await tools.fs_write_file({ path: ${JSON.stringify(mark("out.txt"))}, content: content.toUpperCase() });
       return content`,
    );
    expect(finished.code).toBe(0);
    expect(JSON.parse(finished.stdout)).toMatchObject({
      value: "hello",
      calls: [
        { tool: "fs_read_text_file", source: "files", status: "ok" },
        { tool: "fs_write_file", source: "files", status: "ok", effect: "done" },
      ],
    });
    expect(readFileSync(mark("out.txt"), "utf8")).toBe("HELLO");
    expect(running(mark(""))).toEqual([]);
  });
});

describe("usage and configuration", () => {
  const config = (content: string | object): readonly string[] => [
    "--config",
    folderWith({ "c.json": content })("c.json"),
  ];

  it.each([
    [["run"], "error: missing required argument 'file'"],
    [["run", "-", "--jsno"], "error: unknown option '--jsno'\n(Did you mean --json?)"],
    [["rum", "-"], "error: unknown command 'rum'\n(Did you mean run?)"],
    [["types"], "error: required option '--config <file>' not specified"],
    [["serve"], "error: required option '--config <file>' not specified"],
    [
      ["run", "/no/such/program.ts"],
      "error: /no/such/program.ts: there is no such file\nhint: name the file of the program, or - to read it from stdin",
    ],
    [["run", "-", "--config", "/no/such.json"], "error: /no/such.json: there is no such file"],
    [["run", "-", ...config('{"form": }')], 'c.json:1:10: not JSON: expected a value, found "}"'],
    [["run", "-", ...config({ mcpServer: {} })], 'c.json: unknown key "mcpServer", did you mean "mcpServers"?'],
    [
      ["run", "-", ...config('{"mcpServers": {"__proto__": {"command": "x"}}}')],
      'c.json:1:17: the key "__proto__" can name nothing',
    ],
    [["run", "-", ...config('{"tools": "a", "tools": "b"}')], 'c.json:1:16: the key "tools" is in one object twice'],
    [["types", ...config({ limits: { cpu: 1 } })], 'c.json: unknown key "limits.cpu"'],
  ])("U1 codecall %j exits with 2 and says what is wrong", async (args, message) => {
    const finished = await cli(args, "return 1");
    expect([finished.code, finished.stdout, finished.left]).toEqual([2, "", []]);
    expect(finished.stderr).toContain(message);
  });

  it.each([[["run", "-", "--bogus", "--json"]], [["run", "--json"]], [["run", "-", "--json", ...config({ form: 1 })]]])(
    "U1 with --json codecall %j prints nothing on stdout where no program can run, as --help says",
    async (args) => {
      const finished = await cli(args, "return 1");
      expect([finished.code, finished.stdout]).toEqual([2, ""]);
      expect(finished.stderr).toMatch(/^error: /);
      const help = await cli(["run", "--help"]);
      expect(help.stdout.replace(/\s+/g, " ")).toContain("where no program can run, nothing");
    },
  );

  it("U1 --help and --version exit with 0", async () => {
    const help = await cli(["--help"]);
    expect([help.code, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("doctor");
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
      version: string;
    };
    expect(await cli(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});
