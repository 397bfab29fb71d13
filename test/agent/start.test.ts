import { describe, expect, it } from "vitest";
import { createDeployment, createRuntime, type Runtime } from "../../src/index.ts";

const open = (): Promise<Runtime> => createRuntime({ processes: { warm: 0, max: 1 }, check: "off" });

describe("a runtime that cannot run programs", () => {
  it.each<[string, unknown]>([
    ["was not made by createRuntime; it is an object", {}],
    ["was not made by createRuntime; it is true", true],
    ['was not made by createRuntime; it is "runtime"', "runtime"],
    ["is a promise, which has to be awaited first", new Promise(() => undefined)],
  ])("F5 is refused at start, in every form, naming the entry: it %s", async (problem, runtime) => {
    for (const form of ["direct", "code", "both"] as const) {
      await expect(createDeployment().agent("a", { form, runtime: runtime as Runtime })).rejects.toMatchObject({
        code: "cannot_start",
        message: `composition "a" cannot start: its runtime ${problem}`,
        hint: "compose it with what `await createRuntime()` gives, and close that after its agents",
        details: { composition: "a", entry: "runtime" },
      });
    }
  });

  it("F5 X18 is refused at start where it is closed, and works until then", async () => {
    const runtime = await open();
    const composition = createDeployment().compose("a");
    composition.form("code");
    composition.runtime(runtime);
    await expect(composition.start()).resolves.toMatchObject({ form: "code" });
    await runtime.close();
    await expect(composition.start()).rejects.toMatchObject({
      code: "cannot_start",
      message: 'composition "a" cannot start: its runtime is closed',
    });
  });
});
