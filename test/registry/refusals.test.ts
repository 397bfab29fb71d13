import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assignNames } from "../../src/registry/names.ts";
import { deploy, listen, source, tool, type TestScope } from "./tools.ts";

const refused = (code: string, message: string, hint?: string): Error =>
  expect.objectContaining({ code, message, hint }) as Error;

describe("what is there already", () => {
  const narrower = "or register this one in a narrower scope, where it replaces the other";

  it.each<[string, string, string, (scope: TestScope) => unknown]>([
    [
      "duplicate_tool",
      'scope "support" already has a tool "a", from "deployment/support"',
      "give it another name, dispose the other one first, or register it in a narrower scope, where it hides the other",
      (scope) => scope.tool(tool("a")),
    ],
    [
      "duplicate_guard",
      'scope "support" already has a guard "g"',
      "give it another name: all guards in force are asked; or dispose the other one first",
      (scope) => scope.guard("g", () => undefined),
    ],
    [
      "duplicate_section",
      'prompt section "s" is already registered in this scope',
      `dispose the one that is there first, ${narrower}`,
      (scope) => scope.section({ name: "s", order: 1, text: "" }),
    ],
    [
      "duplicate_instruction",
      'scope "support" already has a variable "v"',
      `dispose the one that is there first, ${narrower}`,
      (scope) => scope.variable("v", ""),
    ],
    [
      "duplicate_instruction",
      'scope "support" already has an adjuster "a"',
      "give it another name, or dispose the one that is there first",
      (scope) => scope.adjust("a", () => undefined),
    ],
  ])("S3 P3 G1 is refused with %s, saying what to do: %s", (code, message, hint, register) => {
    const scope = deploy().scope("support");
    register(scope);
    expect(() => register(scope)).toThrow(refused(code, message, hint));
  });

  it("M1 is refused of sources, saying what to do; the host's own name is none for a source", async () => {
    const deployment = deploy();
    await deployment.source(source("s", []));
    await expect(deployment.source(source("s", []))).rejects.toMatchObject({
      code: "duplicate_source",
      message: 'scope "deployment" already has a source "s"',
      hint: "give it another name, or dispose the other one first",
      details: { name: "s", scope: "deployment" },
    });
    for (const name of ["deployment", "deployment/support"]) {
      await expect(deployment.source(source(name, []))).rejects.toMatchObject({
        code: "reserved_name",
        message: `source "${name}": that name belongs to the tools of the host`,
      });
    }
  });

  it("X3 is refused of names that nothing short enough tells apart", () => {
    const tools = ["a.b", "a b"].map((name) => ({ name, source: "s" }));
    expect(() => assignNames(tools, { maxProviderName: 4 })).toThrow(
      refused(
        "duplicate_tool",
        'no name of at most 4 characters tells these tools apart: "a.b", "a b"',
        "give them names that differ more, or raise maxProviderName",
      ),
    );
  });
});

describe("what is not what it must be", () => {
  it("G4 is told of a policy", () => {
    expect(() =>
      deploy()
        .scope("support")
        .policy("allow" as never),
    ).toThrow(refused("invalid_options", 'a policy of scope "support" must be a function'));
  });

  it("P7 is told of a switch of the context, with how it is turned back on", () => {
    expect(() => deploy().runtimeContext(true as never)).toThrow(
      refused(
        "invalid_options",
        "scope.runtimeContext takes false alone, got true",
        "dispose what runtimeContext(false) returned to have the context back",
      ),
    );
  });

  it.each<[string, unknown]>([
    [
      'tool "t", inputSchema is a plain object of schemas; make one schema of it, as z.object({ ... })',
      { a: z.string() },
    ],
    [
      'tool "t", inputSchema: the JSON Schema must be an object',
      { schema: z.object({}) as StandardSchemaV1, jsonSchema: [] },
    ],
    ['tool "t", inputSchema: the JSON Schema must be an object', { schema: z.object({}), jsonSchema: null }],
  ])("S1 is told of a schema: %s", (message, inputSchema) => {
    expect(() => deploy().tool(tool("t", { inputSchema: inputSchema as never }))).toThrow(
      refused("schema_unsupported", message),
    );
  });

  it("S1 S11 draws warnings where it can be used all the same", () => {
    const logger = listen();
    const deployment = deploy({ logger });
    deployment.tool(tool("a", { gated: true, description: "" }));
    expect(deployment.warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ["description", 'tool "a": the description is empty'],
      ["gated", 'tool "a" is gated: it is not offered until something binds it'],
    ]);
    expect(logger.lines).toHaveLength(2);
  });
});
