import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { checkRecord } from "../../src/cli/keep-record.ts";
import { noConfig } from "../../src/cli/config.ts";
import { cli, folderWith, makePipe } from "./cli.ts";

const tools = `
export const touch = { name: "touch", description: "Touches.", effects: ["write"], execute: () => 1 };
`;
const hint = "hint: name a regular file, or one that can be made\n";

it.skipIf(process.platform !== "linux").each(["run", "serve"])(
  "U1 J2 %s refuses a record that cannot be appended to before anything runs",
  async (command) => {
    const at = folderWith({ "tools.mjs": "console.log('loaded')", file: "" });
    makePipe(at("pipe"));
    for (const [record, fault] of [
      ["pipe", "is no regular file"],
      [".", "is no regular file"],
      ["/dev/full", "is no regular file"],
      ["file/record.jsonl", `cannot be made: ${at("file")} is no folder`],
      ["file/deep/record.jsonl", `cannot be made: ${at("file")} is no folder`],
    ] as const) {
      const config = folderWith({
        "c.json": { tools: at("tools.mjs"), record: record.startsWith("/") ? record : at(record) },
      });
      const args = command === "run" ? ["run", "-"] : ["serve"];
      const finished = await cli([...args, "--config", config("c.json")], "return 1");
      const path = record === "." ? at("").replace(/\/$/, "") : record.startsWith("/") ? record : at(record);
      expect(finished).toEqual({ code: 2, stdout: "", stderr: `error: record: ${path} ${fault}\n${hint}`, left: [] });
    }
  },
);

it("U1 J2 a file, a folder that can be made and /dev/null are fine, and the check makes nothing", () => {
  const at = folderWith({ "there.jsonl": "" });
  for (const record of [at("there.jsonl"), at("new.jsonl"), at("deep/er/new.jsonl"), "/dev/null"]) {
    expect(() => checkRecord({ ...noConfig, record })).not.toThrow();
  }
  expect([existsSync(at("new.jsonl")), existsSync(at("deep"))]).toEqual([false, false]);
});

it("U1 J2 the result is printed where the record is lost after all", async () => {
  const at = folderWith({
    "tools.mjs": tools,
    "codecall.json": { tools: "./tools.mjs", record: "folder/record.jsonl" },
  });
  const first = await cli(["run", "-", "--config", at("codecall.json")], "return await tools.touch({})");
  expect([first.code, first.stdout]).toEqual([0, "1\n"]);
  expect(readFileSync(at("folder/record.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(1);
  rmSync(at("folder"), { recursive: true });
  const block = `import { writeFileSync } from "node:fs";\nexport const block = { name: "block", description: "Blocks.", effects: ["write"], execute: () => writeFileSync(${JSON.stringify(at("folder"))}, "") ?? 2 };`;
  const other = folderWith({
    "tools.mjs": block,
    "c.json": { tools: "./tools.mjs", record: at("folder/record.jsonl") },
  });
  const { code, stdout, stderr } = await cli(["run", "-", "--config", other("c.json")], "return await tools.block({})");
  expect([code, stdout]).toEqual([0, "2\n"]);
  expect(stderr).toMatch(
    /- done: #1 block\nwarning: the record could not be written to .*folder\/record\.jsonl: ENOTDIR/,
  );
});

it("U1 J2 doctor tells of a record that cannot be appended to", async () => {
  const at = folderWith({ "c.json": { record: "." } });
  const { code, stdout } = await cli(["doctor", "--config", at("c.json")]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail record: record: .* is no regular file$/m);
});
