import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Surface } from "../../src/registry/surface.ts";
import { createTypeChecker, type TypeChecker } from "../../src/runtime/check/type-checker.ts";
import { deploy } from "../registry/tools.ts";
import { childrenOf, gone, readsProcesses } from "../runtime/processes.ts";
import { tracker } from "./tracker.ts";

const typecheckPath = fileURLToPath(new URL("../../dist/typecheck.js", import.meta.url));

function surfaceOf(names: readonly string[] = tracker.map(({ name }) => name)): Surface {
  const deployment = deploy();
  for (const tool of tracker) if (names.includes(tool.name)) deployment.tool(tool);
  return deployment.surface();
}

const surface = surfaceOf();
const wrong = "return await tools.pong()";
const found = { status: "checked", findings: [{ kind: "tool", name: "pong", line: 1, column: 20 }] };
// What TypeScript takes for nested arrays grows with the third power of their depth.
const hanging = `const all = ${"[".repeat(390)}1${"]".repeat(390)};\n${wrong}`;

describe("the supervised type checker", () => {
  const open: TypeChecker[] = [];
  function started(timeoutMs: number): TypeChecker {
    const checker = createTypeChecker({ nodePath: process.execPath, typecheckPath, timeoutMs });
    open.push(checker);
    return checker;
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((checker) => checker.close()));
  });

  it("X11 a type that takes too long costs its own time alone, and is not tried again", async () => {
    const checker = started(2_000);
    expect(await checker.check(wrong, surface)).toEqual(found);
    const programs = [hanging, wrong, `${wrong};`, `${wrong} // again`];
    const checked = await Promise.all(programs.map((text) => checker.check(text, surface)));
    expect(checked).toEqual([{ status: "unanswered", limitMs: 2_000 }, found, found, found]);
    expect(await checker.check(hanging, surface)).toEqual({ status: "unanswered" });
    expect(await checker.check(wrong, surface)).toEqual(found);
  });

  it.each([
    ["a union of 100,000 texts", "type D = 0|1|2|3|4|5|6|7|8|9; type U = `${D}${D}${D}${D}${D}`; let u: U;"],
    ["a tuple of 10,000 items", `let t: [${"1,".repeat(10_000)}];`],
    ["a tuple that grows without end", "type T<A extends any[]> = T<[...A, ...A, 1]>; let t: T<[1]>;"],
    ["a text that the parser hangs on", "a<b>(".repeat(24)],
    ["brackets without end", "[".repeat(50_000)],
    ["a type that is made of itself", "type A = A[]; type B<T> = T extends (infer I)[] ? B<I> : T; let b: B<A>;"],
  ])("X11 the next program is checked after %s", async (_, bomb) => {
    const checker = started(1_500);
    const checked = await checker.check(`${bomb}\n${wrong}`, surface);
    expect(["checked", "unanswered"]).toContain(checked.status);
    expect(await checker.check(wrong, surface)).toEqual(found);
  });

  it("X11 surfaces come and go; each program is checked against its own", async () => {
    const checker = started(20_000);
    const names = tracker.map(({ name }) => name);
    const surfaces = names.flatMap((name, index) => [
      surfaceOf([name]),
      surfaceOf(names.slice(index)),
      surfaceOf(names.slice(0, index)),
    ]);
    for (let round = 0; round < 2; round += 1) {
      const checked = await Promise.all(surfaces.map((one) => checker.check("return await tools.ping()", one)));
      expect(checked.map((one) => one.status === "checked" && one.findings.length)).toEqual(
        surfaces.map(({ find }) => (find("ping") === undefined ? 1 : 0)),
      );
    }
  });

  it.runIf(readsProcesses)("X12 a check that was in a process that died is made in another", async () => {
    const checker = started(20_000);
    const others = childrenOf(process.pid, /typecheck\.js/);
    expect(await checker.check(wrong, surface)).toEqual(found);
    const own = childrenOf(process.pid, /typecheck\.js/).filter((pid) => !others.includes(pid));
    const typescript = own.flatMap((pid) => childrenOf(pid, /--api/));
    expect([own.length, typescript.length]).toEqual([1, 1]);
    for (const pid of typescript) process.kill(pid, "SIGSTOP");
    const checking = checker.check(`${wrong};`, surface);
    for (const pid of typescript) process.kill(pid, "SIGKILL");
    expect(await checking).toEqual(found);
    await gone([...own, ...typescript]);
  });

  it.runIf(readsProcesses)("X19 closing leaves neither process, and ends what is pending", async () => {
    const checker = started(20_000);
    const others = childrenOf(process.pid, /typecheck\.js/);
    await checker.check(wrong, surface);
    const own = childrenOf(process.pid, /typecheck\.js/).filter((pid) => !others.includes(pid));
    const typescript = own.flatMap((pid) => childrenOf(pid, /--api/));
    const pending = checker.check(hanging, surface).catch((error: unknown) => error);
    await checker.close();
    expect(await pending).toMatchObject({ code: "runtime_closed" });
    await gone([...own, ...typescript]);
    await expect(checker.check(wrong, surface)).rejects.toMatchObject({ code: "runtime_closed" });
  });
});
