import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { executable } from "../../src/runtime/executables.ts";
import { running } from "../mcp/fixtures/processes.ts";
import { cli, folderWith, server, start } from "./cli.ts";

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
  expect(states).toMatchObject({
    node: "ok",
    "isolated-vm": "ok",
    compiler: "ok",
    "type checker": "ok",
    sandbox: "ok",
  });
  const detailOf = (name: string): string | undefined => findings.find(({ check }) => check === name)?.detail;
  expect(detailOf("compiler")).toMatch(/^esbuild \d+\.\d+\.\d+, ready in \d+ ms$/);
  expect(detailOf("type checker")).toMatch(/^TypeScript 7\.\d+\.\d+, ready in \d+ ms$/);
  expect(findings.find(({ check }) => check === "sandbox")?.detail).toMatch(/^ready in \d+ ms, a program in \d+ ms$/);
});

const names = [
  "process of its own",
  "empty environment",
  "end with the host",
  "bar on new privileges",
  "loss of all capabilities",
  "user namespace",
  "pid namespace",
  "network namespace",
  "IPC and UTS namespaces",
  "mount namespace",
  "private root",
  "bounded data segment",
  "bounded processor time",
  "no core files",
];

async function findLayers(
  env?: Readonly<Record<string, string>>,
): Promise<{ code: unknown; layers: Finding[]; note: Finding | undefined }> {
  const { code, stdout } = await start(["doctor", "--json"], "", env).finished;
  const findings = JSON.parse(stdout) as Finding[];
  const layers = findings.filter(({ check }) => check.startsWith("isolation, "));
  expect(layers.map(({ check }) => check.slice(11))).toEqual(names);
  return { code, layers, note: findings.find(({ check }) => check === "isolation") };
}

describe.skipIf(process.platform !== "linux")("the layers of a living sandbox process", () => {
  it("U1 X2 doctor reads them from the system, and names those that are missing", async () => {
    const { code, layers, note } = await findLayers();
    expect(code).toBe(0);
    const lacking = layers.filter(({ state }) => state === "note");
    // Where every layer works there is nothing to say; elsewhere each that does not is in the note.
    expect(lacking.filter(({ check }) => !note?.detail.includes(check.slice(11)))).toEqual([]);
    expect(note === undefined).toBe(lacking.length === 0);
  });

  it("U1 X2 doctor says why one is not in force, and what to do", async () => {
    const PATH = mkdtempSync(join(tmpdir(), "codecall-path-"));
    symlinkSync(executable("setpriv"), join(PATH, "setpriv"));
    const { code, layers, note } = await findLayers({ PATH });
    expect(code).toBe(0);
    expect(layers.find(({ check }) => check === "isolation, network namespace")).toEqual({
      check: "isolation, network namespace",
      state: "note",
      detail: "not in force (unshare is not on the PATH)",
    });
    expect(layers.find(({ check }) => check === "isolation, end with the host")?.state).toBe("ok");
    expect(note?.detail).toMatch(/^isolation "required" is not to be had here; .*\nhint: Install util-linux/);
  });
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
