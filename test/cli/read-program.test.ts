import { closeSync, openSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readProgram } from "../../src/cli/read-program.ts";
import { cli, folderWith, makePipe, start } from "./cli.ts";

const { signal } = new AbortController();

it("U1 a program is read as far as one byte over the limit", async () => {
  const at = folderWith({ "four.ts": "1234", "five.ts": "1234\u00E9" });
  expect(await readProgram(at("four.ts"), 4, signal)).toEqual({ text: "1234", isCut: false });
  expect(await readProgram(at("five.ts"), 6, signal)).toEqual({ text: "1234\u00E9", isCut: false });
  expect(await readProgram(at("five.ts"), 3, signal)).toEqual({ text: "1234", isCut: true });
});

it.skipIf(process.platform !== "linux")("U1 X1 a file without an end is a text that is too large", async () => {
  const { code, stdout } = await cli(["run", "/dev/zero", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "failed",
    error: {
      code: "source_too_large",
      message: "the program text has more than 65536 bytes, the limit sourceBytes",
    },
  });
});

it("U1 X1 stdin without an end is a text that is too large, by the configured limit", async () => {
  const at = folderWith({ "codecall.json": { limits: { sourceBytes: 10 } } });
  const started = start(["run", "-", "--config", at("codecall.json")], null);
  started.child.stdin?.write("return 1; // and so on");
  const { code, stdout, stderr } = await started.finished;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("error: the program text has more than 10 bytes, the limit sourceBytes [source_too_large]");
});

it("U1 a folder is no program", async () => {
  const { code, stderr } = await cli(["run", folderWith({})("")]);
  expect(code).toBe(2);
  expect(stderr).toContain("the file cannot be read: EISDIR");
});

describe.skipIf(process.platform !== "linux")("a pipe", () => {
  it("U1 is read as its writer writes", async () => {
    const at = folderWith({ "codecall.json": { limits: { sourceBytes: 30 } } });
    makePipe(at("pipe"));
    const writing = (text: string): Promise<void> => writeFile(at("pipe"), text);
    const [short] = await Promise.all([cli(["run", at("pipe")]), writing("return 1")]);
    expect([short.code, short.stdout]).toEqual([0, "1\n"]);
    const long = start(["run", at("pipe"), "--config", at("codecall.json")]);
    await writing("return 1; // and so on and so on");
    expect((await long.finished).stderr).toContain("[source_too_large]");
  });

  it("U1 whose writer is silent is left at a signal", async () => {
    const path = folderWith({})("pipe");
    makePipe(path);
    const held = openSync(path, "r+");
    const started = start(["run", path]);
    await expect.poll(() => holds(started.child.pid, path), { timeout: 20_000 }).toBe(true);
    started.child.kill("SIGTERM");
    expect(await started.finished).toMatchObject({ code: 143, stderr: "error: interrupted by SIGTERM\n", left: [] });
    closeSync(held);
  });
});

/** Whether the process has the file open. */
function holds(pid: number | undefined, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`) === path;
    } catch {
      return false;
    }
  });
}

describe("an aborted signal", () => {
  it("U1 ends the reading with its reason", async () => {
    const reason = new Error("enough");
    const at = folderWith({});
    writeFileSync(at("a.ts"), "1");
    await expect(readProgram(at("a.ts"), 4, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
