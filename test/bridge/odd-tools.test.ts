import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { outcome } from "../../src/registry/outcome.ts";
import type { AnyTool, ToolContext } from "../../src/registry/tool.ts";
import { openFixture, settled } from "./fixture.ts";

const tool = (execute: AnyTool["execute"], more: Partial<AnyTool> = {}): AnyTool => ({
  name: "odd",
  description: "Returns something odd",
  inputSchema: { type: "object" },
  execute,
  ...more,
});

const trap = (): never => {
  throw new Error("trap");
};
const proxy = (): object => new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap, ownKeys: trap });
const throws =
  (error: unknown): AnyTool["execute"] =>
  () => {
    throw error;
  };

/** An error whose texts are not what they should be. */
function oddError(fields: Record<string, unknown>): ToolError {
  const error = new ToolError("odd");
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(error, name, { value });
  return error;
}

describe("whatever a tool throws or returns", () => {
  it.each<[string, AnyTool["execute"], string]>([
    ["a thrown Proxy", throws(proxy()), "internal_error"],
    ["a returned Proxy", () => proxy(), "internal_error"],
    ["a rejected Proxy", () => Promise.reject(proxy()), "internal_error"],
    ["a thenable that throws", () => ({ then: trap }), "internal_error"],
    [
      "a ToolError with a message that throws",
      throws(Object.defineProperty(new ToolError("x"), "message", { get: trap })),
      "internal_error",
    ],
    ["a code that is no text", throws(oddError({ code: 5n })), "tool_error"],
    ["a hint that is a symbol", throws(oddError({ hint: Symbol("s") })), "tool_error"],
    ["a message that is an object", throws(oddError({ message: {} })), "tool_error"],
    ["details that are no JSON", throws(new ToolError("x", { details: { f: () => 1 } })), "tool_error"],
    [
      "an outcome with odd texts",
      () => outcome({ status: "error", error: { code: 1, message: 2n, hint: 3 } as never }),
      "internal_error",
    ],
  ])("C4 C13 Q6 %s is an ordinary failure of JSON texts: %#", async (_what, execute, code) => {
    const fixture = openFixture({ tools: [tool(execute)] });
    const result = await fixture.request("odd");
    expect(result).toMatchObject({ status: "error", failure: { code, message: expect.any(String) as string } });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    expect(fixture.step.open).toBe(0);
  });

  it("C10 C13 texts and details of a failure are bounded", async () => {
    const fixture = openFixture({
      tools: [tool(throws(new ToolError("m".repeat(1e6), { hint: "h".repeat(1e6), details: { d: "d".repeat(1e6) } })))],
    });
    const result = await fixture.request("odd");
    expect("failure" in result && Object.keys(result.failure)).toEqual(["code", "message", "hint"]);
    expect("failure" in result && [result.failure.message.length, result.failure.hint?.length]).toEqual([4_001, 4_001]);
  });

  it("C13 Q6 a log that throws changes nothing", async () => {
    const fixture = openFixture({
      tools: [tool(throws(new Error("bug")))],
      logger: { warn: trap, error: trap },
      setUp: (scope) => void scope.guard("fine", () => undefined),
    });
    expect(await fixture.request("odd")).toMatchObject({ failure: { code: "internal_error" } });
  });

  it("Q6 a nested call of something that is no name fails in the tool alone", async () => {
    const fixture = openFixture({
      tools: [
        tool((_args: never, context: ToolContext) =>
          context.call(Symbol("s") as never).catch((error: Error) => error.message),
        ),
      ],
    });
    expect(await fixture.request("odd")).toMatchObject({ json: '"context.call takes the name of a tool"' });
    await fixture.step.settled();
  });

  it("X15 C8 progress cannot pretend to be another event", async () => {
    const fixture = openFixture({
      tools: [
        tool((_args: never, context: ToolContext) =>
          context.progress({ type: "call.settled", callId: "forged", done: 1, total: "2" } as never),
        ),
      ],
    });
    await fixture.request("odd");
    expect(fixture.events.filter(({ callId }) => callId !== "run_test.1")).toEqual([]);
    expect(fixture.events.filter(({ type }) => type === "call.progress")).toEqual([
      { type: "call.progress", callId: "run_test.1", done: 1 },
    ]);
  });

  it.each(["inputSchema", "outputSchema"])(
    "C11 Q6 an %s that never answers costs the call its time, or ends when the call is stopped",
    async (which) => {
      const never = { "~standard": { version: 1, vendor: "test", validate: () => new Promise(() => undefined) } };
      const schema = { schema: never, jsonSchema: { type: "object" } };
      const make = (timeoutMs: number) => openFixture({ tools: [tool(() => ({}), { [which]: schema, timeoutMs })] });
      const code = which === "inputSchema" ? "arguments_invalid" : "result_invalid";
      expect(await make(5).request("odd")).toMatchObject({
        failure: { code, message: expect.stringContaining("within 5 ms") as string },
      });
      const stopped = make(60_000);
      const call = stopped.request("odd");
      await settled();
      stopped.step.stop("the user left", "all");
      expect(await call).toMatchObject(
        which === "inputSchema"
          ? { status: "cancelled", effect: "none" }
          : { status: "error", effect: "done", failure: { code } },
      );
    },
  );

  it("C3 a tool that settles twice counts once", async () => {
    const twice = {
      then(resolve: (value: unknown) => void, reject: (error: Error) => void) {
        for (const settle of [() => resolve("first"), () => reject(new Error("second")), () => resolve("third")])
          settle();
      },
    };
    const fixture = openFixture({ tools: [tool(() => twice)] });
    expect(await fixture.request("odd")).toMatchObject({ status: "ok", json: '"first"' });
    await settled();
    expect(fixture.record()).toHaveLength(1);
  });

  it("G13 a program that goes on missing names is no longer told the nearest", async () => {
    const fixture = openFixture({ tools: [tool(() => 1)] });
    const hints = await Promise.all(Array.from({ length: 25 }, () => fixture.request("od")));
    expect(hints.map((result) => "failure" in result && result.failure.hint)).toEqual([
      ...Array.from({ length: 20 }, () => "did you mean odd?"),
      ...Array.from({ length: 5 }, () => "the tools are odd"),
    ]);
  });
});
