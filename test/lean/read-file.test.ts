import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { readPart, type ReadRoots } from "../../src/lean/read-file.ts";
import { readSkillFolder } from "../../src/registry/skills.ts";

let top = "";
let allowed: ReadRoots;
const read = (path: string, offset = 0) => readPart(path, offset, allowed);
const refusal = (path: string): Promise<unknown> =>
  read(path).then(
    () => "read",
    (error: { code: string }) => error.code,
  );

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "codecall-read-")));
  for (const folder of ["work", "work/sub", "skills", "skills/review", "skills/review/references", "other", "work-not"])
    mkdirSync(join(top, folder));
  writeFileSync(join(top, "work/a.txt"), "hello");
  writeFileSync(join(top, "work/binary"), Buffer.from([1, 0, 2]));
  writeFileSync(join(top, "other/secret"), "secret");
  writeFileSync(join(top, "work-not/secret"), "secret");
  writeFileSync(
    join(top, "skills/review/SKILL.md"),
    "---\nname: Review\ndescription: >\n  How a pipeline\n  is reviewed.\n---\n# Other\n",
  );
  writeFileSync(join(top, "skills/review/references/rules.md"), "# The rules\n\nWhat every rule\nsays.\n");
  symlinkSync(join(top, "other"), join(top, "work/out"));
  symlinkSync(join(top, "other/secret"), join(top, "work/file-out"));
  symlinkSync(join(top, "work/a.txt"), join(top, "work/in"));
  symlinkSync(join(top, "work"), join(top, "work-link"));
  allowed = { folders: [readSkillFolder({ folder: join(top, "skills") })], roots: [join(top, "work")] };
});

it("G6 reads below the allowed folders: relative, absolute, through links that stay inside", async () => {
  for (const path of ["a.txt", "./sub/../a.txt", join(top, "work/a.txt"), "in"])
    expect(await read(path)).toEqual({ path, text: "hello", bytes: 5 });
  expect((await read("skills/review/references/rules.md")).text).toBe("# The rules\n\nWhat every rule\nsays.\n");
  allowed = { ...allowed, roots: [join(top, "work-link")] };
  expect((await read("a.txt")).text).toBe("hello");
});

it("G6 refuses what lies outside, whether it is there or not, however it is written", async () => {
  const paths = [
    "../other/secret",
    "../other/nothing",
    "sub/../../other/secret",
    join(top, "other/secret"),
    `${top}/work/../other/secret`,
    join(top, "work-not/secret"),
    "out/secret",
    "file-out",
    "/etc/passwd",
    "/",
    "..",
    "skills/../other/secret",
    "skills/../../etc/passwd",
  ];
  expect(await Promise.all(paths.map(refusal))).toEqual(paths.map(() => "read_outside_fence"));
  await expect(read("../other/secret")).rejects.toMatchObject({
    message: 'read_outside_fence: "../other/secret" is not below a folder that may be read',
  });
});

it("G6 tells apart what is not there, what is no file and what is no text", async () => {
  expect(await Promise.all(["nothing", "sub", "binary"].map(refusal))).toEqual(["not_found", "not_a_file", "not_text"]);
});

it("G6 whatever a folder on the way becomes while it is read, nothing outside is", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "codecall-race-")));
  for (const name of ["in", "in/real", "out"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "in/real/f"), "inside");
  writeFileSync(join(folder, "out/f"), "outside");
  symlinkSync(join(folder, "out"), join(folder, "in/link"));
  const swap = `const { renameSync } = require("node:fs");
    const move = (from, to) => { try { renameSync(from, to) } catch {} };
    for (;;) for (const name of ["real", "link"]) { move(name, "d"); move("d", name); }`;
  const swapping = spawn(process.execPath, ["-e", swap], { cwd: join(folder, "in"), stdio: "ignore" });
  onTestFinished(() => void swapping.kill("SIGKILL"));
  const seen = new Set<string>();
  for (let round = 0; round < 3_000 || !seen.has("inside"); round += 1) {
    const found = await readPart("d/f", 0, { folders: [], roots: [join(folder, "in")] }).catch(
      (error: { code: string }) => ({ text: error.code }),
    );
    seen.add(found.text);
  }
  expect([...seen]).not.toContain("outside");
});

const short = "/sys/kernel/mm/transparent_hugepage/enabled";
it.skipIf(!existsSync(short))("C10 a file that holds less than it says ends where it ends", async () => {
  const part = await readPart(short, 0, { folders: [], roots: ["/sys"] });
  expect(part.text).toMatch(/\n$/);
  expect(part).not.toHaveProperty("next");
});

it("C10 past the end there is nothing, however far", async () => {
  for (const offset of [5, 6, 1e300])
    expect(await read("a.txt", offset)).toEqual({ path: "a.txt", text: "", bytes: 5 });
});

it("C10 a long file is read in parts that never cut a character", async () => {
  const text = "aß€😀".repeat(9_000);
  writeFileSync(join(top, "work/long"), text);
  const parts: string[] = [];
  for (let next: number | undefined = 0; next !== undefined;) {
    const part = await read("long", next);
    expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(24_576);
    parts.push(part.text);
    next = part.next;
  }
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join("")).toBe(text);
  expect(await read("a.txt", 99)).toEqual({ path: "a.txt", text: "", bytes: 5 });
});

it("T2 skills and references are described by their front matter, else by heading and first paragraph", () => {
  expect(readSkillFolder({ folder: join(top, "skills") }).skills).toEqual([
    { path: "skills/review/SKILL.md", title: "Review", description: "How a pipeline is reviewed.", kind: "skill" },
    {
      path: "skills/review/references/rules.md",
      title: "The rules",
      description: "What every rule says.",
      kind: "reference",
    },
  ]);
  expect(() => readSkillFolder({ folder: join(top, "nowhere") })).toThrow("cannot be read");
});
