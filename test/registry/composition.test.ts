import { describe, expect, it } from "vitest";
import { deploy, listen, type TestRuntime, tool } from "./tools.ts";

const runtime: TestRuntime = { kind: "runtime" };

describe("a composition", () => {
  it("F1 is direct unless declared otherwise, and then needs no runtime", async () => {
    const support = deploy().scope("support");
    const agent = await support.compose("a").start();
    expect(agent).toMatchObject({
      name: "a",
      scope: "deployment/support",
      form: "direct",
      runtime: undefined,
      codeTool: "run_program",
    });
    expect(Object.isFrozen(agent)).toBe(true);
    expect(agent.surface()).toBe(support.surface());
  });

  it("F6 takes its entries in any order", async () => {
    for (const order of [
      ["form", "runtime"],
      ["runtime", "form"],
    ]) {
      const composition = deploy().compose("a");
      for (const entry of order) {
        if (entry === "form") composition.form("code");
        else composition.runtime(runtime);
      }
      expect(await composition.start()).toMatchObject({ form: "code", runtime });
    }
  });

  it("F3 refuses a second form, even an equal one, and a second runtime", () => {
    const composition = deploy().compose("a");
    composition.form("both");
    composition.runtime(runtime);
    expect(() => composition.form("both")).toThrow(
      expect.objectContaining({
        code: "composed_twice",
        message: 'composition "a" already has its form; it is declared once for every agent joined to it',
      }) as Error,
    );
    expect(() => composition.runtime(runtime)).toThrow(expect.objectContaining({ code: "composed_twice" }) as Error);
  });

  it.each(["code", "both"] as const)(
    "F5 the form %s without a runtime is refused at start, naming the entry",
    async (form) => {
      const composition = deploy().compose("a");
      composition.form(form);
      await expect(composition.start()).rejects.toMatchObject({
        code: "cannot_start",
        message: `composition "a" cannot start: form "${form}" needs a runtime`,
        details: { composition: "a", entry: "form", form },
      });
    },
  );

  it("F5 a start that was refused can be mended as its hint says, and what has started cannot be changed", async () => {
    const composition = deploy().compose("a");
    composition.form("code");
    await expect(composition.start()).rejects.toMatchObject({
      hint: "give it one with composition.runtime(runtime), then call start() again",
    });
    composition.runtime(runtime);
    expect(await composition.start()).toMatchObject({ form: "code", runtime });
    expect(() => composition.runtime(runtime)).toThrow(
      expect.objectContaining({
        code: "composition_started",
        message: 'composition "a" has started; runtime must be given before start()',
      }) as Error,
    );
  });

  it("F3 F5 starts any number of agents, and nothing can be composed after the first", async () => {
    const composition = deploy().compose("a");
    composition.runtime(runtime);
    const agents = [await composition.start(), await composition.start()];
    expect(agents[0]).not.toBe(agents[1]);
    expect(agents.map(({ form }) => form)).toEqual(["direct", "direct"]);
    expect(() => composition.form("code")).toThrow(expect.objectContaining({ code: "composition_started" }) as Error);
  });

  it("F1 another form, or none where one is given, is refused", () => {
    expect(() =>
      deploy()
        .compose("a")
        .form("hybrid" as never),
    ).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: 'composition "a": form must be "direct", "code" or "both", got "hybrid"',
      }) as Error,
    );
    expect(() =>
      deploy()
        .compose("a")
        .runtime(undefined as never),
    ).toThrow('composition "a": runtime is missing');
    expect(() =>
      deploy()
        .compose("a")
        .form(null as never),
    ).toThrow('composition "a": form is missing');
  });

  it("F5 an agent in one call is the same", async () => {
    const deployment = deploy({ codeTool: "code" });
    expect(await deployment.agent("a", { form: "code", runtime })).toMatchObject({
      name: "a",
      form: "code",
      runtime,
      codeTool: "code",
    });
    await expect(deployment.agent("b", { form: "code" })).rejects.toMatchObject({ code: "cannot_start" });
  });

  it("F1 F5 an agent of which nothing is said is direct", async () => {
    expect(await deploy().agent("a")).toMatchObject({ name: "a", form: "direct", runtime: undefined });
  });

  it("S10 a direct-only tool draws a warning where the form code starts, and there alone", async () => {
    const logger = listen();
    const deployment = deploy({ logger });
    deployment.tool(tool("a", { callers: ["direct"] }));
    deployment.tool(tool("b", { callers: ["code"] }));
    deployment.tool(tool("c"));
    const support = deployment.scope("support");
    await deployment.agent("direct");
    await deployment.agent("both", { form: "both", runtime });
    expect(logger.lines).toEqual([]);
    await support.agent("x", { form: "code", runtime });
    const message = 'tool "a" is for direct calls alone, of which composition "x" has none: its form is "code"';
    expect(support.warnings).toEqual([{ kind: "callers", tool: "a", source: "deployment", message }]);
    expect(logger.lines).toEqual([`warn ${message}`]);
  });

  it("S6 does not start in a scope that is gone", async () => {
    const scope = deploy().scope("s");
    const composition = scope.compose("a");
    scope[Symbol.dispose]();
    await expect(composition.start()).rejects.toMatchObject({
      code: "scope_disposed",
      message: 'scope "s" is disposed; composition "a" needs one that is not',
    });
  });
});
