import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Config, readConfig } from "../../src/cli/config.ts";
import { Fault } from "../../src/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "codecall-config-"));
const file = join(folder, "codecall.json");

function read(text: string | object): Config {
  writeFileSync(file, typeof text === "string" ? text : JSON.stringify(text));
  return readConfig(file);
}

function fault(text: string | object): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Fault && error.code === "invalid_config") return error.message.replaceAll(file, "FILE");
    throw error;
  }
  throw new Error("it was accepted");
}

it("U1 an empty configuration has no tools and the default form", () => {
  expect(read({})).toEqual({
    file,
    servers: [],
    tools: undefined,
    policy: undefined,
    form: "code",
    limits: {},
    record: undefined,
    learnOutputs: undefined,
  });
});

it("U1 servers are read as MCP hosts write them, with paths from the file's folder", () => {
  const config = read({
    mcpServers: {
      files: { command: "npx", args: ["-y", "server", "."], env: { A: "1" } },
      web: { type: "http", url: "https://example.com/mcp", headers: { authorization: "x" } },
      off: { command: "never" },
      there: { command: "./bin/server", cwd: "sub" },
    },
    servers: {
      files: {
        prefix: "fs_",
        trusted: true,
        keywords: ["disk"],
        overrides: { "read_*": { effects: ["read"], parallelSafe: true } },
      },
      off: { disabled: true },
    },
    tools: "./tools.ts",
    policy: "policy.ts",
    record: "out/record.jsonl",
    learnOutputs: "out/learned.json",
    form: "both",
    limits: { cpuMs: 100 },
  });
  expect(config).toEqual({
    file,
    form: "both",
    limits: { cpuMs: 100 },
    tools: { given: "./tools.ts", file: join(folder, "tools.ts") },
    policy: { given: "policy.ts", file: join(folder, "policy.ts") },
    record: join(folder, "out/record.jsonl"),
    learnOutputs: join(folder, "out/learned.json"),
    servers: [
      {
        name: "files",
        target: {
          command: "npx",
          args: ["-y", "server", "."],
          env: { A: "1" },
          cwd: folder,
          prefix: "fs_",
          trusted: true,
          keywords: ["disk"],
          overrides: { "read_*": { effects: ["read"], parallelSafe: true } },
        },
      },
      { name: "web", target: { url: "https://example.com/mcp", headers: { authorization: "x" } } },
      { name: "there", target: { command: "./bin/server", cwd: join(folder, "sub"), args: undefined, env: undefined } },
    ],
  });
});

it("U1 a byte order mark at the start is no fault", () => {
  expect(read('\uFEFF{"form":"direct"}').form).toBe("direct");
});

it("U1 a file that is not there is named", () => {
  expect(() => readConfig(join(folder, "none.json"))).toThrow(`${join(folder, "none.json")}: there is no such file`);
  expect(() => readConfig(folder)).toThrow("the file cannot be read: ");
});

it("U1 broken JSON is told with line and column", () => {
  expect(fault('{\n  "form": "code",\n}')).toBe('FILE:3:1: not JSON: expected a key, found "}"');
});

it.each([
  [
    { mcpServer: {} },
    'unknown key "mcpServer", did you mean "mcpServers"?; known here: $schema, mcpServers, servers, tools, form, limits, policy, record, learnOutputs, store',
  ],
  [
    { bogus: 1 },
    'unknown key "bogus"; known here: $schema, mcpServers, servers, tools, form, limits, policy, record, learnOutputs, store',
  ],
  [
    { mcpServers: { a: { comand: "x" } } },
    'unknown key "mcpServers.a.comand", did you mean "command"?; known here: type, command, args, env, cwd, url, headers',
  ],
  [
    { mcpServers: { a: { command: "x", disabled: true } } },
    'unknown key "mcpServers.a.disabled"; it belongs in servers.a; known here: type, command, args, env, cwd, url, headers',
  ],
  [
    { mcpServers: { a: { command: "x" } }, servers: { a: { truste: true } } },
    'unknown key "servers.a.truste", did you mean "trusted"?; known here: prefix, trusted, keywords, disabled, timeoutMs, overrides',
  ],
  [
    { mcpServers: { a: { command: "x" } }, servers: { a: { overrides: { "*": { effect: [] } } } } },
    'unknown key "servers.a.overrides.*.effect", did you mean "effects"?; known here: effects, parallelSafe',
  ],
  [
    { mcpServers: { github: { command: "x" } }, servers: { githb: {} } },
    'servers.githb: "mcpServers" has no server of that name, did you mean "github"?',
  ],
  [
    { limits: { cpuMS: 5 } },
    'unknown key "limits.cpuMS", did you mean "cpuMs"?; known here: cpuMs, wallMs, memoryMb, sourceBytes, consoleBytes, calls, concurrency, callMs, attempts, approvalMs, argumentBytes, resultBytes, returnBytes, stateBytes',
  ],
  [{ limits: { cpuMs: 0 } }, "limits: limit cpuMs must be an integer from 10 to 600000 (ms), got 0"],
  [{ form: "cod" }, 'form: expected one of "direct"|"code"|"both"'],
  [{ mcpServers: { a: {} } }, 'mcpServers.a needs either a "command" to start or a "url" to reach'],
  [
    { mcpServers: { a: { command: "x", url: "http://127.0.0.1" } } },
    'mcpServers.a has a "command" and a "url": keep the one to start or the one to reach',
  ],
  [
    { mcpServers: { a: { type: "stdio", url: "http://127.0.0.1" } } },
    'mcpServers.a has the type "stdio", which needs a "command" to start, and a "url": give the type "http" or leave it out',
  ],
  [{ mcpServers: { a: { type: "stdio" } } }, 'mcpServers.a has the type "stdio", which needs a "command" to start'],
  [
    { mcpServers: { a: { type: "http", command: "x" } } },
    'mcpServers.a has the type "http", which needs a "url" to reach, and a "command": give the type "stdio" or leave it out',
  ],
  [
    { mcpServers: { a: { type: "streamable-http" } } },
    'mcpServers.a has the type "streamable-http", which needs a "url" to reach',
  ],
  [
    { mcpServers: { a: { type: "sse", url: "http://127.0.0.1/sse" } } },
    'mcpServers.a.type: SSE servers are not supported; give the address of the server\'s streamable HTTP and the type "http", or leave the type out',
  ],
  [
    { mcpServers: { a: { type: "ws", url: "http://127.0.0.1" } } },
    'mcpServers.a.type: expected one of "stdio"|"http"|"streamable-http"',
  ],
  [{ mcpServers: { a: { url: "nowhere" } } }, 'mcpServers.a has a "url" that is no http or https address: "nowhere"'],
  [{ limits: { calls: "1" } }, 'limits.calls: expected number, got "1"'],
  [{ limits: { calls: null } }, "limits.calls: expected number, received null"],
  [{ mcpServers: { a: { command: 7 } } }, "mcpServers.a.command: expected string, received number"],
  [[], "expected object, received array"],
])("U1 the configuration %j is refused with the place and the nearest known name", (given, message) => {
  expect(fault(given)).toBe(`FILE: ${message}`);
});

it("U1 every fault is told at once", () => {
  expect(fault({ form: 1, record: "", tool: "x" }).split("\n")).toHaveLength(3);
});
