import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { checkDefinition, defineTool } from "../../src/registry/define-tool.ts";
import { describeWarnings } from "../../src/registry/make-tool.ts";
import { classify } from "../../src/registry/tool.ts";
import type { AnyTool } from "../../src/registry/tool.ts";
import { deploy, tool } from "./tools.ts";

describe("defineTool", () => {
  it("S1 types the arguments by a zod schema's output", () => {
    const defined = defineTool({
      name: "t",
      description: "Returns n.",
      inputSchema: z.object({ n: z.coerce.number(), q: z.string().optional() }),
      parallelSafe: (args) => args.n > 1,
      validate(args, { tenant }) {
        expectTypeOf([args.n, tenant]).toEqualTypeOf<(string | number)[]>();
      },
      execute(args, context) {
        expectTypeOf(args).toEqualTypeOf<{ n: number; q?: string | undefined }>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        return args.n;
      },
    });
    expectTypeOf(defined).toExtend<AnyTool>();
    expect(defined.name).toBe("t");
  });

  it("S1 types the arguments of a JSON Schema, or of none, as any object", () => {
    const json = defineTool({
      name: "t",
      description: "",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
        return args.a;
      },
    });
    const none = defineTool({ name: "t", description: "", execute: (args) => args.a });
    expectTypeOf(json).toExtend<AnyTool>();
    expectTypeOf(none).toExtend<AnyTool>();
    expect([json, none].map(({ name }) => name)).toEqual(["t", "t"]);
  });

  it("S1 returns a frozen copy of all fields", () => {
    const given = {
      name: "t",
      description: "d",
      inputSchema: null,
      outputSchema: { type: "string" },
      effects: ["read", "external"],
      parallelSafe: true,
      validate: () => undefined,
      execute: () => 1,
      paths: { read: ["a"], write: ["b"] },
      keywords: ["k"],
      callers: ["code"],
      gated: false,
      enabled: true,
      requiresApproval: true,
      idempotent: true,
      timeoutMs: 5,
    } as const;
    const defined = defineTool(given);
    expect(defined).toEqual(given);
    expect(Object.isFrozen(defined)).toBe(true);
    expect(defined.effects).not.toBe(given.effects);
    expect(Object.isFrozen(defined.effects)).toBe(true);
  });

  it.each<[object, string]>([
    [{ name: "" }, "tool without a name: name must be 1 to 200 characters long"],
    [{ name: 5 }, "tool without a name: name must be text"],
    [{ name: "x".repeat(201) }, `tool "${"x".repeat(200)}": name must be 1 to 200 characters long`],
    [{ name: "a\nb" }, 'tool "a\\nb": name must be without line breaks and other control characters'],
    [{ name: "a\u0085b" }, 'tool "a\u0085b": name must be without line breaks and other control characters'],
    [{ name: "a\ud800" }, 'tool "a\\ud800": name must be well-formed Unicode, without half a surrogate pair'],
    [{ description: undefined }, 'tool "t": description must be text'],
    [{ execute: undefined }, 'tool "t": execute must be a function'],
    [{ inputSchema: "object" }, 'tool "t": inputSchema must be a schema or null'],
    [{ outputSchema: [] }, 'tool "t": outputSchema must be a schema or null'],
    [
      { effects: ["writes"] },
      'tool "t": effects must be an array of "read", "write" and "external", each at most once',
    ],
    [
      { effects: ["read", "read"] },
      'tool "t": effects must be an array of "read", "write" and "external", each at most once',
    ],
    [{ parallelSafe: "yes" }, 'tool "t": parallelSafe must be true, false or a function'],
    [{ validate: true }, 'tool "t": validate must be a function'],
    [{ paths: { reads: ["a"] } }, 'tool "t": paths must be { read?, write? }, each an array of argument names'],
    [{ keywords: [1] }, 'tool "t": keywords must be an array of texts'],
    [{ callers: [] }, 'tool "t": callers must be ["direct"], ["code"] or both'],
    [{ gated: 1 }, 'tool "t": gated must be true or false'],
    [{ enabled: 0 }, 'tool "t": enabled must be true or false'],
    [{ requiresApproval: "yes" }, 'tool "t": requiresApproval must be true or false'],
    [{ idempotent: null }, 'tool "t": idempotent must be true or false'],
    [{ timeoutMs: 0 }, 'tool "t": timeoutMs must be an integer from 1 to 86400000'],
    [{ timeoutMs: 1.5 }, 'tool "t": timeoutMs must be an integer from 1 to 86400000'],
  ])("S1 %j is refused naming tool and field", (more, message) => {
    const definition = { ...tool("t"), ...more };
    expect(() => defineTool(definition as never)).toThrow(
      expect.objectContaining({ code: "invalid_tool", message }) as Error,
    );
    expect(() => deploy().tool(definition as never)).toThrow(
      expect.objectContaining({ code: "invalid_tool", message }) as Error,
    );
  });

  it("S1 an unknown field is refused with the one it may have meant", () => {
    expect(() => defineTool({ ...tool("t"), paralelSafe: true } as never)).toThrow(
      expect.objectContaining({
        code: "invalid_tool",
        message: 'tool "t" has an unknown field "paralelSafe"',
        hint: "did you mean parallelSafe?",
      }) as Error,
    );
    expect(() => defineTool({ ...tool("t"), zzz: 1 } as never)).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^the fields are name, description, execute, /) }) as Error,
    );
  });

  it("S1 what is no object is refused", () => {
    expect(() => defineTool(undefined as never)).toThrow(
      expect.objectContaining({
        code: "invalid_tool",
        message: "a tool definition must be an object, got undefined",
      }) as Error,
    );
  });

  it("X3 any other name is data", () => {
    for (const name of ['a"]; globalThis.leak = 1; //', "__proto__", "then", "constructor", "a`${b}`", "{}", "日本"]) {
      expect(checkDefinition(tool(name)).name).toBe(name);
    }
  });
});

describe("descriptions", () => {
  it.each<[string, object, readonly string[]]>([
    ["", {}, ["the description is empty"]],
    [" \n", {}, ["the description is empty"]],
    ["Returns the issue.", {}, []],
    ["Lists all open issues", {}, []],
    ["Sends it. It is counted.", {}, ["neither an output schema nor the description says what the tool returns"]],
    ["Sends it.", { outputSchema: {} }, []],
    [
      `Gets ${"a".repeat(295)}.`,
      {},
      ["the first sentence of the description is 301 characters long; 300 is the most that reads well"],
    ],
    [`Gets ${"a".repeat(294)}. ${"b".repeat(400)}.`, {}, []],
    [
      `Gets v1.5${"a".repeat(290)} ${"b".repeat(400)}`,
      {},
      ["the first sentence of the description is 700 characters long; 300 is the most that reads well"],
    ],
  ])("S11 %j", (description, more, warnings) => {
    expect(describeWarnings({ description, ...more })).toEqual(warnings);
  });

  it("S11 a warning is drawn when the tool is registered, and the tool stays", () => {
    const deployment = deploy();
    deployment.tool(tool("t", { description: "" }));
    expect(deployment.warnings).toEqual([
      { kind: "description", tool: "t", source: "deployment", message: 'tool "t": the description is empty' },
    ]);
    expect(deployment.surface().find("t")?.tool.description).toBe("");
  });
});

describe("classify", () => {
  const classified = (parallelSafe: unknown, args: unknown = {}): boolean => {
    const deployment = deploy();
    deployment.tool(tool("t", parallelSafe === undefined ? {} : { parallelSafe: parallelSafe as true }));
    const offered = deployment.surface().find("t");
    if (offered === undefined) throw new Error("not offered");
    return classify(offered.tool, args);
  };

  it("Q1 only an explicit yes overlaps", () => {
    expect(classified(true)).toBe(true);
    expect(classified(false)).toBe(false);
    expect(classified(undefined)).toBe(false);
    expect(classified(() => true)).toBe(true);
    for (const answer of [false, 1, "true", {}, undefined, Promise.resolve(true)])
      expect(classified(() => answer)).toBe(false);
  });

  it("Q1 a classifier sees the arguments, and one that throws means exclusive", () => {
    const byArgs = (args: { readonly n: number }) => args.n > 1;
    expect([classified(byArgs, { n: 1 }), classified(byArgs, { n: 2 })]).toEqual([false, true]);
    expect(
      classified(() => {
        throw new Error("no");
      }),
    ).toBe(false);
  });
});
