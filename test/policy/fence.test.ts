import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { findPaths, NoPath, replacePaths } from "../../src/policy/argument-paths.ts";
import { locateArguments } from "../../src/policy/fence.ts";
import { isWithin, realPath } from "../../src/policy/real-path.ts";
import { createDeployment } from "../../src/index.ts";
import { tool } from "../agent/fixture.ts";

let home: string;
let root: string;
let away: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "codecall-fence-")));
  root = join(home, "root");
  away = join(home, "away");
  for (const folder of [root, away, join(home, "root-2")]) mkdirSync(folder);
  writeFileSync(join(root, "a.txt"), "a");
  writeFileSync(join(away, "b.txt"), "b");
  symlinkSync(away, join(root, "link"));
  symlinkSync(join(away, "new.txt"), join(root, "dangling"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync(root, join(home, "in"));
});

async function call(path: unknown, kind: "read" | "write" = "write", setUp?: () => void) {
  const scope = createDeployment({ roots: [root] });
  scope.tool(
    tool("act", ({ path: given }: { path: unknown }) => given, { effects: [kind], paths: { [kind]: ["path"] } }),
  );
  if (setUp !== undefined) {
    scope.policy(() => "ask");
  }
  const agent = await scope.agent("a");
  const session = await agent.session("chat", { workspace: root });
  const ask = (): boolean => (setUp?.(), true);
  return session.turn().call("act", { path }, setUp === undefined ? {} : { ask });
}

describe("the allowed folders", () => {
  it.each<[string, () => string]>([
    ["an absolute path", () => join(away, "b.txt")],
    ["..", () => "../away/b.txt"],
    [".. after a folder that is not there", () => "none/../../away/b.txt"],
    ["a folder whose name begins alike", () => `${root}-2/x`],
    ["a link", () => "link/b.txt"],
    ["a new file below a link", () => "link/none/new.txt"],
    ["a link to what is not there yet", () => "dangling"],
    ["a file: address", () => pathToFileURL(join(away, "b.txt")).href],
    ["an encoded file: address", () => `file://${away}/%62.txt`],
    ["a file: address with ..", () => `FILE://${root}/%2e%2e/away/b.txt`],
    ["the home folder", () => "~/x"],
    ["the home folder alone", () => "~"],
    ["another spelling of the folder, where case counts", () => join(home, "ROOT", "a.txt")],
    ["the folder above", () => ".."],
  ])("G6 are not left by %s", async (_, path) => {
    expect(await call(path())).toMatchObject({ status: "refused", error: { code: "mutate_outside_fence" } });
    expect(await call([path()], "read")).toMatchObject({ status: "refused", error: { code: "read_outside_fence" } });
  });

  it.each<[string, () => string, string]>([
    ["NUL", () => "a.txt\0", "it holds a NUL character"],
    ["an encoded NUL", () => `file://${root}/a.txt%00`, "it holds a NUL character"],
    ["the address of another machine", () => "file://elsewhere/a.txt", "it is no file: address of this machine"],
    ["a link to itself", () => "loop", "it cannot be looked up"],
  ])("G6 a path with %s is refused", async (_, path, why) => {
    const outcome = await call(path());
    expect(outcome).toMatchObject({
      error: { code: "path_unusable", message: `act: the path ${JSON.stringify(path())} cannot be used: ${why}` },
    });
  });

  it.each<[string, () => string, string]>([
    ["a relative path", () => "a.txt", "a.txt"],
    ["a new file in a new folder", () => "x/../y/new.txt", "y/new.txt"],
    ["a link into the folder", () => join(home, "in", "a.txt"), "a.txt"],
    ["a file: address", () => pathToFileURL(join(root, "a.txt")).href, "a.txt"],
    ["a name that begins with ~ or ..", () => "~a/..b", "~a/..b"],
    ["nothing", () => "", ""],
  ])("G6 the tool gets the real path of %s", async (_, path, real) => {
    expect(await call(path())).toMatchObject({ status: "ok", value: real === "" ? root : join(root, real) });
  });

  it("G6 a path that leads elsewhere by the time the tool would run is refused", async () => {
    mkdirSync(join(root, "sub"));
    const swap = (): void => {
      renameSync(join(root, "sub"), join(root, "old"));
      symlinkSync(away, join(root, "sub"));
    };
    expect(await call("sub/b.txt", "write", swap)).toMatchObject({
      status: "refused",
      error: {
        code: "path_changed",
        message: 'the path "sub/b.txt" leads elsewhere now than when the call was checked',
        hint: "make the call again",
      },
    });
  });

  it("G6 what is no text where a path should be is refused", async () => {
    expect(await call({ of: 1 })).toMatchObject({
      error: { code: "path_unusable", message: "act: a path must be text, and an object came" },
    });
    expect(await call(null)).toMatchObject({ status: "ok", value: null });
  });

  it("G6 are the state folder, the current folder and the workspace unless said otherwise", async () => {
    const scope = createDeployment();
    scope.tool(tool("act", () => 1, { effects: ["read"], paths: { read: ["path"] } }));
    const agent = await scope.agent("a");
    const session = await agent.session("chat", { workspace: root });
    const outcomes = [process.cwd(), root, join(homedir(), ".local/state/codecall/x"), away].map((path) =>
      session.turn().call("act", { path }),
    );
    const env = process.env.XDG_STATE_HOME === undefined;
    expect((await Promise.all(outcomes)).map(({ status }) => status)).toEqual([
      "ok",
      "ok",
      env ? "ok" : "refused",
      "refused",
    ]);
    const turn = session.turn({ workingFolder: away });
    expect(await turn.call("act", { path: "b.txt" })).toMatchObject({ status: "ok" });
  });

  it("G6 no spelling of steps up and down leaves the folder", async () => {
    const step = fc.constantFrom("..", ".", "link", "dangling", "a.txt", "x", "in", "root", "away", "");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const real = await realPath(steps.join("/"), root);
        expect(await realPath(real, "/")).toBe(real);
        const outcome = await call(steps.join("/"));
        expect(outcome.status).toBe(isWithin(root, real) ? "ok" : "refused");
      }),
      { numRuns: 60 },
    );
    rmSync(home, { recursive: true });
  });
});

describe("paths among arguments", () => {
  const args = {
    path: "a",
    files: [{ path: "b" }, { path: ["c", "d"] }],
    map: { x: "e" },
    "files[].path": "f",
    none: null,
  };

  it.each<[string, readonly string[]]>([
    ["path", ["a"]],
    ["files[].path", ["f", "b", "c", "d"]],
    ["map.*", ["e"]],
    ["none", []],
    ["path.deeper", []],
    ["constructor", []],
  ])("G6 are found by %s", (declared, texts) => {
    expect(findPaths(args, declared).map(({ text }) => text)).toEqual(texts);
  });

  it("G6 are replaced in a copy that shares the rest", () => {
    const found = findPaths(args, "files[].path");
    const copy = replacePaths(args, new Map(found.map((one) => [one, one.text.toUpperCase()]))) as typeof args;
    expect(copy.files).toEqual([{ path: "B" }, { path: ["C", "D"] }]);
    expect(copy["files[].path"]).toBe("F");
    expect(copy.map).toBe(args.map);
    expect(args.files[0]).toEqual({ path: "b" });
    expect(() => findPaths({ path: 5 }, "path")).toThrow(new NoPath("a path must be text, and number came"));
  });

  it("G6 are replaced in one go however many there are, and keys that are no ordinary ones are kept", () => {
    let reads = 0;
    const texts = Array.from({ length: 500 }, (_, index) => `p${index}`);
    const counted = new Proxy(texts, {
      get: (list, key) => ((reads += Number(/^\d+$/.test(String(key)))), Reflect.get(list, key) as unknown),
    });
    const many = findPaths({ files: texts }, "files");
    const copy = replacePaths({ files: counted }, new Map(many.map((one) => [one, `/${one.text}`])));
    expect(copy).toEqual({ files: texts.map((text) => `/${text}`) });
    expect(reads).toBe(500);
    const odd: unknown = JSON.parse('{"map":{"__proto__":"a"}}');
    const replaced = replacePaths(odd, new Map(findPaths(odd, "map.*").map((one) => [one, "b"])));
    expect(JSON.stringify(replaced)).toBe('{"map":{"__proto__":"b"}}');
  });

  it("G6 C11 are not looked up any more once the call is stopped", async () => {
    const surface = createDeployment();
    surface.tool(tool("act", () => 1, { paths: { read: ["files"] } }));
    const act = surface.surface().find("act");
    if (act === undefined) throw new Error("there is no such tool");
    const sought = { tool: act, args: { files: ["a", "b"] }, signal: AbortSignal.abort() };
    expect(await locateArguments(sought, "/", [])).toMatchObject({
      status: "refused",
      failure: { code: "path_unusable", message: "act: the call was stopped before its paths were looked up" },
    });
  });
});
