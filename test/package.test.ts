import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "..");
const place = realpathSync(mkdtempSync(join(tmpdir(), "codecall-package-")));
const app = join(place, "app");
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

const execute = (cwd: string, file: string, ...args: string[]): string =>
  execFileSync(file, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** One call of a program, and one whose result is checked in a thread. */
const program = (options: string, deploymentOptions = ""): string => `
import { createDeployment, createRuntime, defineTool } from "codecall";
const inputSchema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] };
const add = defineTool({ name: "add", description: "Returns a + b.", inputSchema, effects: [], execute: ({ a, b }) => a + b });
const list = Array(20_000).fill("a text of some length");
const long = defineTool({ name: "long", description: "Returns a list.", outputSchema: { items: { type: "string" } }, effects: [], execute: () => list });
await using runtime = await createRuntime(${options});
await using deployment = createDeployment(${deploymentOptions});
deployment.tool(add);
deployment.tool(long);
const agent = await deployment.agent("demo", { form: "code", runtime });
const run = await agent.run("const sum: number = await tools.add({ a: 40, b: 2 }); ({ sum })");
console.log(run.status, JSON.stringify(run.value), run.calls.length, (await agent.call("long")).status);
`;

/** Processes that were started from the temporary folder and still run. */
function leftOver(): string[] {
  return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(place));
}

async function bundle(source: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: source, resolveDir: app, sourcefile: "main.mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    outfile,
    logLevel: "silent",
  });
}

beforeAll(() => {
  execute(root, "npm", "pack", "--ignore-scripts", "--pack-destination", place);
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), "{}\n");
  execute(app, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", join(place, "codecall-0.1.0.tgz"));
}, 240_000);

afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("the packed package", () => {
  it("R2 X2 runs a program from an empty folder after a plain install", async () => {
    writeFileSync(join(app, "plain.mjs"), program(""));
    expect(execute(app, process.execPath, "plain.mjs")).toBe('completed {"sum":42} 1 ok\n');
    await vi.waitFor(() => expect(leftOver()).toEqual([]), 10_000);
  });

  it("R2 U1 brings the command", async () => {
    writeFileSync(join(app, "program.ts"), "const answer: number = 6 * 7;\nanswer\n");
    const bin = join(app, "node_modules/.bin/codecall");
    const run: unknown = JSON.parse(execute(app, bin, "run", "program.ts", "--json"));
    expect(run).toMatchObject({ status: "completed", value: 42 });
    await vi.waitFor(() => expect(leftOver()).toEqual([]), 10_000);
  });

  it("R2 holds no source, test or guest leftovers, and what its exports name", () => {
    const list = execute(place, "tar", "-tzf", "codecall-0.1.0.tgz").trim().split("\n");
    expect(
      list.filter(
        (path) =>
          !/^package\/(dist\/|docs\/(contract|security)\.md|(package\.json|README\.md|LICENSE|CHANGELOG\.md)$)/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(list.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
    const installed = join(app, "node_modules/codecall");
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      exports: Record<string, string | { types: string; default: string }>;
    };
    const targets = Object.values(manifest.exports).flatMap((one) =>
      typeof one === "string" ? [one] : [one.types, one.default],
    );
    expect(targets.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  it("R2 runs from one bundled file, its process files found in node_modules", async () => {
    await bundle(program(""), join(app, "out/bundle.mjs"));
    expect(execute(app, process.execPath, "out/bundle.mjs")).toBe('completed {"sum":42} 1 ok\n');
    await vi.waitFor(() => expect(leftOver()).toEqual([]), 10_000);
  });

  it("R2 runs from one bundled file where codecall is not installed, its process files given by path", async () => {
    const deployed = join(place, "deployed");
    const processes = 'import.meta.dirname + "/processes/';
    const options = `{ childPath: ${processes}sandbox.js", compilerPath: ${processes}compiler.js" }`;
    const deploymentOptions = `{ checkerPath: ${processes}checker.js" }`;
    await bundle(program(options, deploymentOptions), join(deployed, "bundle.mjs"));
    cpSync(join(app, "node_modules"), join(deployed, "node_modules"), { recursive: true });
    cpSync(join(deployed, "node_modules/codecall/dist"), join(deployed, "processes"), { recursive: true });
    rmSync(join(deployed, "node_modules/codecall"), { recursive: true });
    expect(execute(deployed, process.execPath, "bundle.mjs")).toBe('completed {"sum":42} 1 ok\n');
    await vi.waitFor(() => expect(leftOver()).toEqual([]), 10_000);
  });
});
