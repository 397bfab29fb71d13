import { expect, it } from "vitest";
import { declare } from "../../src/prompt/declarations.ts";
import { declareTool } from "../../src/prompt/declare-tool.ts";
import { describeShared, readCatalogs } from "../shared.ts";
import { declarables } from "./catalogs.ts";
import { compileErrors } from "./compile.ts";
import { isObject } from "../../src/is-object.ts";
import { commentLines } from "../../src/prompt/comment-text.ts";
import { keyText, literalText } from "../../src/prompt/literal-text.ts";
import { pointerKeys } from "../../src/registry/json-pointer.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

/** Every text that a schema says to a reader, and every keyword beside its types, as it must stand in the declarations. */
function* sayings(root: JsonObject): Generator<string | readonly string[]> {
  const seen = new Set<JsonValue>();
  const waiting: (JsonValue | undefined)[] = [root];
  for (let schema = waiting.shift(); waiting.length > 0 || schema !== undefined; schema = waiting.shift()) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    if (typeof schema["description"] === "string") yield* commentLines(schema["description"]);
    for (const value of Array.isArray(schema["enum"]) ? (schema["enum"] as JsonValue[]) : []) yield literalText(value);
    if ("const" in schema) yield literalText(schema["const"] ?? null);
    if ("default" in schema)
      yield ["default", JSON.stringify(schema["default"]).replaceAll(/^"|"$/g, "").slice(0, 200)];
    for (const keyword of [
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "maxLength",
      "maxItems",
      "pattern",
    ]) {
      const value = schema[keyword];
      if (typeof value === "string") yield value;
      if (typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER) yield String(value);
    }
    const { format } = schema;
    if (typeof format === "string" && !/^u?int\d+$|^double$|^float$/.test(format)) yield format;
    for (const [name, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
      yield keyText(name);
      waiting.push(property);
    }
    for (const keyword of ["items", "additionalProperties", "not"]) waiting.push(schema[keyword]);
    for (const keyword of ["anyOf", "oneOf", "allOf"])
      if (Array.isArray(schema[keyword])) waiting.push(...(schema[keyword] as JsonValue[]));
    const ref = schema["$ref"];
    if (typeof ref !== "string") continue;
    let target: JsonValue | undefined = root;
    for (const key of pointerKeys(ref.slice(1)))
      target = Array.isArray(target) ? target[Number(key)] : isObject(target) ? target[key] : undefined;
    waiting.push(target);
  }
}

describeShared("real catalogues", () => {
  it("D1 D3 every tool of every catalogue is declared without a warning and compiles", () => {
    const files: Record<string, string> = {};
    for (const [name, tools] of readCatalogs()) {
      const { text, warnings } = declare(declarables(tools));
      expect(warnings).toEqual([]);
      expect(text.match(/\): Promise</g)?.length).toBe(tools.length);
      files[`${name}.ts`] = text;
    }
    expect(Object.keys(files).length).toBeGreaterThan(10);
    expect(compileErrors(files)).toEqual([]);
  });

  it("D1 D3 nothing that a schema says is dropped: descriptions, enums, constants, defaults, formats, bounds and patterns", () => {
    let said = 0;
    const missing: string[] = [];
    for (const tool of [...readCatalogs().values()].flatMap((tools) => declarables(tools))) {
      const { text, types } = declareTool(tool);
      const shown = [text, ...types.map((type) => type.text)].join("\n");
      const plain = shown.replaceAll("*\\/", "*/").toLowerCase();
      const holds = (part: string): boolean => plain.includes(part.trim().toLowerCase());
      for (const saying of [...sayings(tool.input), ...(tool.output === undefined ? [] : sayings(tool.output))]) {
        said += 1;
        const parts = typeof saying === "string" ? [saying] : saying;
        if (!parts.every(holds)) missing.push(`${tool.name}: ${parts.join(" ")}`);
      }
    }
    expect(missing).toEqual([]);
    expect(said).toBeGreaterThan(10_000);
  });

  it("D3 recursion in real schemas is named, and nothing else but what is shared", () => {
    const types = [...readCatalogs().values()].flatMap((tools) =>
      declarables(tools).flatMap((tool) => declareTool(tool).types),
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
