import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTables } from "../scripts/readme.ts";
import { parseConfig } from "../src/cli/config-schema.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, ".readme");
const text = readFileSync(join(root, "README.md"), "utf8");

interface Block {
  readonly language: string;
  readonly body: string;
}

const blocks: readonly Block[] = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", body = ""]) => ({ language, body }),
);
const inLanguage = (language: string): Block[] => blocks.filter((block) => block.language === language);

const run = promisify(execFile);
const anyRun = (output: string): string => output.replaceAll(/run_[0-9a-f]{32}/g, "run_…").trim();

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the README", () => {
  const programs = blocks.flatMap((block, index) =>
    block.language === "ts" ? [{ block, printed: blocks[index + 1] }] : [],
  );

  it.each(programs.map((program, index) => ({ ...program, index })))(
    "R3 block $index of TypeScript prints what stands below it",
    async ({ block, printed, index }) => {
      expect(printed?.language).toBe("text");
      const file = join(folder, `block-${index}.ts`);
      writeFileSync(file, block.body);
      const { stdout } = await run(process.execPath, [file], { cwd: root });
      expect(anyRun(stdout)).toBe(printed?.body.trim());
    },
  );

  it("R3 U1 the first command runs a program against a real MCP server and prints its value and its ledger", async () => {
    const [install, command] = (inLanguage("sh")[0]?.body.trim() ?? "").split(" && ");
    expect(install).toBe("npm ci");
    const [file = "", ...args] = (command ?? "").split(" ");
    const { stdout, stderr } = await run(file, args, { cwd: root });
    const value = JSON.parse(stdout) as { file: string; lines: number }[];
    expect(value).toHaveLength(3);
    expect(value.map(({ lines }) => lines)).toEqual(value.map(({ lines }) => lines).sort((a, b) => b - a));
    expect(stderr).toMatch(/mcp_files__search_files, mcp_files__read_text_file ×\d+/);
  });

  it("R3 the second command is the one that continuous integration runs", () => {
    expect(inLanguage("sh")[1]?.body).toBe("npm ci && npm test\n");
    const script = readFileSync(join(root, ".ci/run"), "utf8");
    expect(script).toContain("(npm ci && npm test) || exit 1\n");
  });

  it("R3 U1 the configuration is one that is accepted", () => {
    expect(parseConfig(JSON.parse(inLanguage("json")[0]?.body ?? ""))).toHaveProperty("config");
  });

  it("R3 X5 C7 the tables are those of the code", () => {
    expect(withTables(text)).toBe(text);
  });

  it("R3 every block is run by one of these tests", () => {
    const languages = blocks.map(({ language }) => language).join(" ");
    expect(languages).toBe("sh sh ts text ts text ts text ts text ts text ts text ts text json");
  });
});
