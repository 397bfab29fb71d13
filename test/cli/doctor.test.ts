import { expect, it } from "vitest";
import { running } from "../mcp/fixtures/processes.ts";
import { cli, folderWith, server } from "./cli.ts";

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

it("U1 doctor finds Node, isolated-vm, the sandbox and the layers in force", async () => {
  const finished = await cli(["doctor", "--json"]);
  expect([finished.code, finished.stderr, finished.left]).toEqual([0, "", []]);
  const findings = JSON.parse(finished.stdout) as Finding[];
  const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  expect(states).toMatchObject({ node: "ok", "isolated-vm": "ok", sandbox: "ok" });
  expect(findings.find(({ check }) => check === "sandbox")?.detail).toMatch(/^ready in \d+ ms, a program in \d+ ms$/);
});

it.skipIf(process.platform !== "linux")("U1 X2 doctor reads the layers from the living sandbox process", async () => {
  const findings = JSON.parse((await cli(["doctor", "--json"])).stdout) as Finding[];
  const layers = findings.filter(({ check }) => check.startsWith("isolation, ")).map(({ check }) => check.slice(11));
  expect(layers).toEqual([
    "a process of its own",
    "no environment of the host's",
    "no new privileges",
    "dies with its host",
    "bounded data segment",
    "bounded processor time",
    "no core files",
  ]);
});

it("U1 doctor tells which servers answer, with their tools, and exits with 1 where one does not", async () => {
  const mark = crypto.randomUUID();
  const at = folderWith({ "codecall.json": { mcpServers: { words: server("broken", mark), bad: server("exits") } } });
  const finished = await cli(["doctor", "--config", at("codecall.json")]);
  expect(finished.code).toBe(1);
  expect(finished.stdout).toMatch(/^ok {3}node: \d+\./m);
  expect(finished.stdout).toMatch(/^ok {3}configuration: /m);
  expect(finished.stdout).toMatch(/^ok {3}server words: 5 tools in \d+ ms$/m);
  expect(finished.stdout).toMatch(
    /^fail server bad: MCP server "bad" .* it exited with code 1; its stderr ends with:$/m,
  );
  expect(finished.stdout).toMatch(/^note tools: source "words": its tool number 4 is left out/m);
  expect(running(mark)).toEqual([]);
});

it("U1 doctor exits with 2 for a configuration that is not valid", async () => {
  const at = folderWith({ "codecall.json": { form: "x" } });
  const finished = await cli(["doctor", "--config", at("codecall.json")]);
  expect(finished.code).toBe(2);
  expect(finished.stdout).toContain("codecall.json: form: expected one of");
});
