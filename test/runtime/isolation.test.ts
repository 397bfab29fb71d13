import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDeployment, createRuntime } from "../../src/index.ts";
import { executable } from "../../src/runtime/executables.ts";
import { isolationsFor } from "../../src/runtime/isolation.ts";
import { type Child, spawnChild } from "../../src/runtime/spawn.ts";
import { descendantsOf, gone } from "./processes.ts";

const root = join(import.meta.dirname, "../..");
const script = join(import.meta.dirname, "fixtures/escapee.ts");
const files = { nodePath: process.execPath, scripts: [script] };

const canBeRequired = await isolationsFor("required", files).then(
  () => true,
  () => false,
);

async function firstLine(child: Child): Promise<string> {
  let text = "";
  for await (const chunk of child.pipe) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text;
}

/** A folder for `PATH` that has these programs and no others. */
function pathWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "codecall-path-"));
  for (const name of names) symlinkSync(executable(name), join(folder, name));
  return folder;
}

async function answer(isolation?: "required" | "best"): Promise<unknown> {
  await using runtime = await createRuntime({ processes: { warm: 1, max: 1 }, ...(isolation && { isolation }) });
  const agent = await createDeployment().agent("test", { form: "code", runtime });
  return await agent.run("enum Answer { is = 42 } return Answer.is");
}

afterEach(() => void vi.unstubAllEnvs());

describe.skipIf(!canBeRequired)("a child behind every layer", () => {
  it.each([
    ["without sight of any process", false, { processes: 0, setting: "ENOENT" }],
    ["with sight of the two of its own", true, { processes: 2, setting: "EROFS" }],
  ])("X2 reaches nothing of the host and writes nothing, %s", async (_what, seesProcesses, seen) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const folder = mkdtempSync(join(tmpdir(), "codecall-secret-"));
    const secret = join(folder, ".env");
    writeFileSync(secret, "KEY=1");
    const [isolation] = await isolationsFor("required", files);
    const args = [String(process.pid), String(port), join(script, ".."), secret];
    const child = spawnChild({ nodePath: process.execPath, script, args, isolation, seesProcesses });
    expect(JSON.parse(await firstLine(child))).toEqual({
      environ: "ENOENT",
      signal: "ESRCH",
      port: "ENETUNREACH",
      interfaces: [],
      ...seen,
      secret: "ENOENT",
      writes: ["EROFS", "EROFS"],
      root: '["proc"]',
    });
    const status = readFileSync(`/proc/${child.nodePid()}/status`, "utf8");
    const facts = Object.fromEntries([...status.matchAll(/^(Cap\w+|NoNewPrivs):\s*(\w+)$/gm)].map((m) => [m[1], m[2]]));
    const none = "0".repeat(16);
    expect(facts).toEqual({
      CapInh: none,
      CapPrm: none,
      CapEff: none,
      CapBnd: none,
      CapAmb: none,
      NoNewPrivs: "1",
    });
    child.kill();
    await child.exit;
    server.close();
  });

  it("X2 X12 is killed with the process that was started for it, which tells how it ended", async () => {
    const [isolation] = await isolationsFor("required", files);
    const child = spawnChild({ nodePath: process.execPath, script, args: ["1", "1"], isolation });
    await firstLine(child);
    const inner = child.nodePid();
    expect(inner).not.toBe(child.pid);
    expect(descendantsOf(child.pid)).toEqual([expect.any(Number), inner]);
    child.kill();
    expect(await child.exit).toEqual({ code: null, signal: "SIGKILL" });
    await gone([inner ?? 0]);

    const aborted = spawnChild({ nodePath: process.execPath, script: "--eval=process.abort()", isolation });
    expect(await aborted.exit).toEqual({ code: null, signal: "SIGABRT" });

    const missing = spawnChild({ nodePath: process.execPath, script: `${script}.none`, isolation });
    expect(await missing.exit).toEqual({ code: 1, signal: null });
    expect(missing.stderr()).toContain("MODULE_NOT_FOUND");
  });

  it("X2 starts from the files that are there now, also where they took the place of others", async () => {
    const folder = mkdtempSync(join(tmpdir(), "codecall moved 'é#"));
    const place = join(folder, "dist");
    const child = join(place, "child.mjs");
    const put = (text: string): void => {
      mkdirSync(place);
      writeFileSync(child, `import { writeSync } from "node:fs"; writeSync(3, ${JSON.stringify(`${text}\n`)});`);
    };
    put("first");
    const [isolation] = await isolationsFor("required", { nodePath: process.execPath, scripts: [child] });
    const said = (): Promise<string> => firstLine(spawnChild({ nodePath: process.execPath, script: child, isolation }));
    expect(await said()).toBe("first\n");
    renameSync(place, join(folder, "old"));
    put("second");
    expect(await said()).toBe("second\n");
  });

  it("X2 X5 programs run and their limits hold when isolation is required", async () => {
    expect(await answer("required")).toMatchObject({ status: "completed", value: 42 });
    await using runtime = await createRuntime({ isolation: "required", limits: { memoryMb: 16, cpuMs: 10_000 } });
    const agent = await createDeployment().agent("test", { form: "code", runtime });
    const ends = await Promise.all(
      [
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, String(i).repeat(50))",
        "return 'a'.repeat(3e8).split('').length",
        "const kept = []; for (;;) kept.push(new Array(1000).fill({}))",
      ].map((text) => agent.run(text)),
    );
    expect(ends.map((end) => (end.status === "failed" ? end.error.code : end.status))).toEqual([
      "memory_limit",
      "memory_limit",
      "memory_limit",
    ]);
  });
});

describe.skipIf(process.platform !== "linux")("where layers are missing", () => {
  it('X2 isolation "required" is refused with each of them, why, and what to do', async () => {
    vi.stubEnv("PATH", pathWith("setpriv", "nsenter", "mount", "mkdir"));
    await expect(createRuntime({ isolation: "required" })).rejects.toMatchObject({
      code: "sandbox_unavailable",
      message:
        'isolation "required" is not to be had here; missing: user namespace, pid namespace, network namespace, IPC and UTS namespaces, mount namespace, private root (unshare is not on the PATH)',
      hint: 'Install util-linux and allow this process user namespaces (a container\'s seccomp profile, AppArmor or user.max_user_namespaces may forbid them), or set isolation to "best" to do without.',
      details: { missing: expect.objectContaining({ "network namespace": "unshare is not on the PATH" }) as object },
    });
  });

  it.each([
    ["no namespaces", ["setpriv"]],
    ["no private root", ["setpriv", "unshare", "mount"]],
    ["nothing at all", []],
  ])("X2 the best there is does with less: %s", async (_what, names) => {
    vi.stubEnv("PATH", pathWith(...names));
    expect(await answer()).toMatchObject({ status: "completed", value: 42 });
  });

  it.runIf(canBeRequired)("X2 what was missing once is looked for again", async () => {
    const folder = pathWith("setpriv", "nsenter", "mount", "mkdir");
    vi.stubEnv("PATH", folder);
    await expect(isolationsFor("required", files)).rejects.toMatchObject({ code: "sandbox_unavailable" });
    vi.unstubAllEnvs();
    const unshare = executable("unshare");
    vi.stubEnv("PATH", folder);
    symlinkSync(unshare, join(folder, "unshare"));
    expect(await isolationsFor("required", files)).toHaveLength(1);
  });

  it("X2 what works is still put around a child where the rest does not", async () => {
    vi.stubEnv("PATH", pathWith("setpriv", "unshare", "mount"));
    const refused = await isolationsFor("required", files).then(
      () => undefined,
      (error: { details: unknown }) => error.details,
    );
    const ways = await isolationsFor("best", files);
    expect(refused).toEqual(
      canBeRequired
        ? { missing: { "private root": "mkdir is not on the PATH" } }
        : { missing: expect.anything() as object },
    );
    // Namespaces first; then, where there are any to lose, without capabilities; then only tied to the host.
    const above = process.geteuid?.() === 0 ? [2, 0, 0] : [2, 0];
    expect(ways.map((way) => way.above)).toEqual(canBeRequired ? above : expect.anything());
  });

  it.each([
    ["with every layer that works here", "refuse", undefined],
    ["without namespaces", "off", ["setpriv"]],
  ])("X2 X18 children of a host that is killed are gone, spinning ones too, %s", async (_what, check, names) => {
    const host = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { createDeployment, createRuntime } from ${JSON.stringify(join(root, "dist/index.js"))};
         const runtime = await createRuntime({ processes: { warm: 1, max: 2 }, check: ${JSON.stringify(check)} });
         const agent = await createDeployment().agent("a", { form: "code", runtime });
         void agent.run("for (;;) {}");
         setTimeout(() => console.log("running"), 50);`,
      ],
      {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...(names && { PATH: pathWith(...names) }) },
      },
    );
    await once(host.stdout, "data");
    const children = descendantsOf(host.pid);
    expect(children.length).toBeGreaterThan(2);
    host.kill("SIGKILL");
    await gone(children);
  });
});

it("X5 isolation is one of two words", async () => {
  await expect(createRuntime({ isolation: "most" as "best" })).rejects.toMatchObject({
    code: "invalid_options",
    message: 'isolation must be "required" or "best", got "most"',
  });
});

it.skipIf(process.platform === "linux")('X2 isolation "required" exists on Linux only', async () => {
  await expect(createRuntime({ isolation: "required" })).rejects.toMatchObject({ code: "sandbox_unavailable" });
});
