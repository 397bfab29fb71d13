import { expect, it } from "vitest";
import { declare, declareTool } from "../../src/prompt/declarations.ts";
import { describeShared, readCatalogs } from "../shared.ts";
import { compileErrors } from "./compile.ts";
import type { Declarable } from "../../src/prompt/declarations.ts";
import type { JsonObject } from "../../src/json.ts";

const declarables = (name: string): Declarable[] =>
  (readCatalogs().get(name) ?? []).map((tool) => ({
    name: tool.name,
    alias: tool.name.replaceAll(/\W/g, "_"),
    description: tool.description,
    input: tool.inputSchema as JsonObject,
    ...(tool.outputSchema === undefined ? {} : { output: tool.outputSchema as JsonObject }),
  }));

describeShared("real catalogues", () => {
  it("D1 D3 every tool of every catalogue is declared without a warning and compiles", () => {
    const files: Record<string, string> = {};
    for (const [name, tools] of readCatalogs()) {
      const { text, warnings } = declare(declarables(name));
      expect(warnings).toEqual([]);
      expect(text.match(/\): Promise<|^ {2}\}\): Promise</gm)?.length).toBe(tools.length);
      files[`${name}.ts`] = text;
    }
    expect(Object.keys(files).length).toBeGreaterThan(10);
    expect(compileErrors(files)).toEqual([]);
  });

  it("D3 recursion in real schemas is named, and nothing else but what is shared", () => {
    const types = [...readCatalogs().keys()].flatMap((name) =>
      declarables(name).flatMap((tool) => declareTool(tool).types),
    );
    const texts = [...new Set(types.map(({ text }) => text.replaceAll(/_[a-z0-9]{5}\b/g, "_")))];
    expect(texts.sort()).toEqual([
      "type Children_ = { name: string; children?: Children_[] };",
      "type Children_ = { name: string; description?: string; children?: Children_[] };",
      "type Data_ = { name: string; value: number; children?: Data_[] };",
      'type RichTextRequest_ = { text: { content: string; link?: Record<string, unknown> | null }; type?: "text" };',
    ]);
  });
});
