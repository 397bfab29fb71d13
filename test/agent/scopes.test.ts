import { describe, expect, it } from "vitest";
import { createDeployment } from "../../src/index.ts";
import { tool, useRuntime } from "./fixture.ts";

const fixture = useRuntime();

describe("disposing a scope while a program runs in it", () => {
  it("S6 C6 signals its calls in flight, keeps what became of them, and ends its runs; the scope above goes on", async () => {
    const deployment = createDeployment();
    const support = deployment.scope("support");
    const started = Promise.withResolvers<void>();
    support.tool(
      tool(
        "wait",
        (_args, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(`told: ${(signal.reason as Error).message}`));
            started.resolve();
          }),
        { effects: ["read"] },
      ),
    );
    deployment.tool(tool("one", () => 1));
    const [inner, outer] = await Promise.all(
      [support, deployment].map((scope) => scope.agent("a", { form: "code", runtime: fixture.runtime })),
    );
    const running = inner?.run("await tools.one();\nreturn await tools.wait();");
    await started.promise;
    await support[Symbol.asyncDispose]();
    support[Symbol.dispose]();
    const run = await running;
    expect(run).toMatchObject({
      status: "cancelled",
      error: { code: "aborted", message: 'scope "support" was disposed' },
    });
    expect(run?.calls.map(({ tool: name, status, effect }) => [name, status, effect])).toEqual([
      ["one", "ok", "done"],
      ["wait", "ok", "none"],
    ]);
    await expect(inner?.run("return 1")).rejects.toMatchObject({ code: "scope_disposed" });
    expect(await outer?.run("return await tools.one()")).toMatchObject({ status: "completed", value: 1 });
  });
});
