import { describe, expect, it } from "vitest";
import { declare } from "../../src/prompt/declarations.ts";
import { declareTool } from "../../src/prompt/declare-tool.ts";
import { compileErrors } from "./compile.ts";
import type { Declarable } from "../../src/prompt/declarations.ts";
import type { JsonObject } from "../../src/json.ts";

const retries: JsonObject = {
  "retry-delay": { type: "number", description: "Seconds between attempts, doubled each time", default: 2 },
  "retry-max": { type: "integer", description: "How often a failed operation is tried again before giving up" },
};
const region: JsonObject = {
  region: {
    type: "string",
    description:
      "The region in which the resource lives, as its short name; the default region of the account otherwise",
  },
};
const tool = (name: string, properties: JsonObject, required: readonly string[] = []): Declarable => ({
  name,
  description: "",
  input: { type: "object", properties, required: [...required] },
});
const five = ["a", "b", "c", "d", "e"];
const withOwn = (names: readonly string[], shared: JsonObject): readonly Declarable[] =>
  names.map((name) => tool(name, { ...shared, [`own_${name}`]: { type: "string" } }, [`own_${name}`]));
const body = (tools: readonly Declarable[]): readonly string[] => declare(tools).text.trimEnd().split("\n").slice(4);

describe("parameters that tools repeat", () => {
  it("D3 are written once where five tools have them, as a type that these tools add to their own", () => {
    const tools = [...withOwn(five, retries), tool("f", { alone: { type: "string" } })];
    const name = /RetryDelayRetryMax\d{3}/.exec(declare(tools).text)?.[0] ?? "";
    expect(body(tools)).toEqual([
      `type ${name} = {`,
      ' "retry-delay"?: number // Seconds between attempts, doubled each time (default 2)',
      ' "retry-max"?: number // How often a failed operation is tried again before giving up',
      "};",
      "declare const tools: {",
      ...five.flatMap((letter) => [`${letter}(args: ${name} & {`, ` own_${letter}: string`, "}): Promise<Unknown>"]),
      "f(args?: { alone?: string }): Promise<Unknown>",
      "};",
    ]);
  });

  it("D3 are grouped by the tools that have them all, and nothing of its own is left empty", () => {
    const tools = [...five.map((name) => tool(name, { ...retries, ...region })), ...withOwn(["f", "g"], region)];
    const text = declare(tools).text.replaceAll(/(?<=[a-z])\d{3}/g, "");
    expect(text).toContain("a(args?: RetryDelayRetryMax & Region): Promise<Unknown>\n");
    expect(text).toContain("f(args: Region & {\n own_f: string\n}): Promise<Unknown>\n");
  });

  it.each<[string, readonly Declarable[]]>([
    ["fewer tools have them", withOwn(five.slice(1), { ...retries, ...region })],
    ["they are short", withOwn(five, { id: { type: "string", description: "What it is called" } })],
    [
      "they differ in a word",
      five.map((name) =>
        tool(name, { region: { type: "string", description: `${"The region ".repeat(12)}of ${name}` } }),
      ),
    ],
    [
      "other properties are open",
      five.map((name) => ({ ...tool(name, retries), input: { properties: retries, additionalProperties: true } })),
    ],
  ])("D3 stay where they are if %s", (_, tools) => {
    expect(body(tools)).toEqual([
      "declare const tools: {",
      ...tools.flatMap((one) => declareTool(one).text.split("\n")),
      "};",
    ]);
  });

  it("D3 have a name that depends on them alone, and types of one name are told apart", () => {
    const name = (tools: readonly Declarable[]) =>
      [...declare(tools).text.matchAll(/^type (\w+) = \{$/gm)].map((m) => m[1]);
    const first = name(withOwn(five, retries));
    expect(first).toHaveLength(1);
    expect(name([...withOwn(["f", "g", ...five], retries), tool("x", region)])).toEqual(first);
    const variants = Array.from({ length: 1_200 }, (_, n) => ({
      region: { type: "string", description: `${"The region in which the resource lives. ".repeat(3)}${n}` },
    }));
    const names = name(
      variants.flatMap((shared, n) =>
        withOwn(
          five.map((letter) => `${letter}${n}`),
          shared,
        ),
      ),
    );
    expect(new Set(names).size).toBe(1_200);
  });

  it("D2 D3 compile, and are asked for as if they stood in the tool", () => {
    const tools = five.map((name) => tool(name, { ...retries, ...region, id: { type: "string" } }, ["region", "id"]));
    const { text } = declare(tools);
    const errors = (call: string): readonly string[] => compileErrors({ "a.ts": `${text}${call}` });
    expect(errors('tools.a({ id: "1", region: "x" }); tools.e({ id: "1", region: "x", "retry-max": 1 });')).toEqual([]);
    expect(errors('tools.a({ id: "1" });')).toHaveLength(1);
    expect(errors('tools.a({ id: "1", region: 1 });')).toHaveLength(1);
    expect(errors('tools.a({ id: "1", region: "x", retries: 1 });')).toHaveLength(1);
  });
});
