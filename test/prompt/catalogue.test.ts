import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declareWithin, estimateTokens, type CatalogueTool } from "../../src/prompt/catalogue.ts";
import { declare } from "../../src/prompt/declarations.ts";
import { compileErrors } from "./compile.ts";

const findMore = "Search for the others.";
const tool = (source: string, name: string, description = `Gets ${name}. It takes a while.`): CatalogueTool => ({
  source,
  name,
  description,
  input: {
    type: "object",
    properties: { id: { type: "string", description: `Which ${name} it is that shall be returned` } },
    required: ["id"],
  },
});
const source = (name: string, count: number): readonly CatalogueTool[] =>
  Array.from({ length: count }, (_, at) => tool(name, `${name}_${at}`));
const tools = [...source("big", 40), ...source("small", 3), ...source("mid", 10)];
const within = (maxTokens: number, given = tools) => declareWithin(given, { maxTokens, findMore });
const body = (text: string): readonly string[] => text.trimEnd().split("\n").slice(4);

describe("a catalogue and its budget", () => {
  it("D4 is declared in full, with nothing else said, where it fits", () => {
    const { text } = declare(tools);
    expect(within(estimateTokens(text))).toEqual({
      text,
      warnings: [],
      complete: true,
      counts: { full: 53, brief: 0, names: 0, absent: 0 },
    });
    expect(within(estimateTokens(text) - 1).counts.brief).toBeGreaterThan(0);
  });

  it("D4 is degraded in steps: in full, the types with a sentence, the name; and says so", () => {
    const few = [tool("a", "one"), tool("b", "two"), tool("b", "three")];
    const { text, complete, counts } = within(136, few);
    expect({ complete, counts }).toEqual({ complete: true, counts: { full: 0, brief: 2, names: 1, absent: 0 } });
    expect(body(text)).toEqual([
      "// COMPLETE, 3 of 3 tools: 0 in full, 2 in brief, 1 by name. Search for the others.",
      "declare const tools: {",
      "/** Gets one. */",
      "one(args: { id: string }): Promise<Unknown>",
      "/** Gets two. */",
      "two(args: { id: string }): Promise<Unknown>",
      "// b: three",
      "};",
    ]);
  });

  it("D4 shows names round the sources, so that none crowds out another, and says how many are missing", () => {
    const { text, complete, counts } = within(150);
    expect(complete).toBe(false);
    expect(counts).toEqual({ full: 0, brief: 0, names: 23, absent: 30 });
    expect(body(text)).toEqual([
      "// PARTIAL, 23 of 53 tools: 0 in full, 0 in brief, 23 by name. Search for the others.",
      "declare const tools: {",
      "// big: big_0, big_1, big_2, big_3, big_4, big_5, big_6, big_7, big_8, big_9",
      "// small: small_0, small_1, small_2",
      "// mid: mid_0, mid_1, mid_2, mid_3, mid_4, mid_5, mid_6, mid_7, mid_8, mid_9",
      "};",
    ]);
  });

  it("D4 a source whose tools are long does not hold up the others", () => {
    const long = tool("long", "long", "x".repeat(4_000));
    const { counts, text } = within(420, [long, ...source("small", 3)]);
    expect(counts).toEqual({ full: 3, brief: 0, names: 1, absent: 0 });
    expect(text).toContain("// long: long\n");
  });

  it("D4 a budget below the frame gives the frame", () => {
    expect(body(within(0).text)).toEqual([
      "// PARTIAL, 0 of 53 tools: 0 in full, 0 in brief, 0 by name. Search for the others.",
      "declare const tools: {",
      "};",
    ]);
  });

  it("D3 D4 names and sources are data: the text compiles whatever they hold", () => {
    const odd = ["*/ }; declare const x: 1;", "a\nb", "\u2028", "```", "@ts-ignore"].map((text) => ({
      ...tool(text, text),
      description: "x".repeat(3_000),
    }));
    const { text, counts } = within(180, odd);
    expect(counts.names).toBe(5);
    expect(compileErrors({ "a.ts": text })).toEqual([]);
  });

  it("D4 keeps to any budget that holds the frame, counts every tool once, and gives the same bytes for the same input", () => {
    const any = fc.record({
      source: fc.constantFrom("a", "b", "c", "a long name of a source"),
      size: fc.nat(400),
      shared: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), fc.integer({ min: 200, max: 4_000 }), (list, maxTokens) => {
        const given = list.map((one, at): CatalogueTool => {
          const made = tool(one.source, `tool_${at}`, "word ".repeat(one.size));
          const options = { type: "string", description: "An option that many tools have, word for word. ".repeat(3) };
          return one.shared ? { ...made, input: { type: "object", properties: { options } } } : made;
        });
        const { text, counts, complete } = within(maxTokens, given);
        expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
        expect(counts.full + counts.brief + counts.names + counts.absent).toBe(given.length);
        expect(complete).toBe(counts.absent === 0);
        expect(within(maxTokens, structuredClone(given)).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});
