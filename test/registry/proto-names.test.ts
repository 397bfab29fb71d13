import { expect, it } from "vitest";
import { deploy, names, source, tool } from "./tools.ts";

const schemas: readonly (readonly [string, string])[] = [
  ["as a property", '{"type":"object","properties":{"__proto__":{"type":"string"}}}'],
  ["as a required one", '{"type":"object","required":["__proto__"]}'],
  ["further in", '{"type":"object","properties":{"a":{"items":{"anyOf":[{"properties":{"__proto__":{}}}]}}}}'],
  ["in a definition", '{"type":"object","$defs":{"a":{"properties":{"__proto__":true}}}}'],
  ["below a property of a keyword's name", '{"type":"object","properties":{"enum":{"properties":{"__proto__":{}}}}}'],
];
const message = (name: string): string =>
  `tool "${name}", inputSchema names a property "__proto__", which no program can pass, since in an object literal that name sets the prototype`;

it.each(schemas)("S1 a property __proto__ of the arguments is refused: %s", (_, schema) => {
  const deployment = deploy();
  expect(() => deployment.tool(tool("t", { inputSchema: JSON.parse(schema) as object as never }))).toThrow(
    expect.objectContaining({
      code: "invalid_tool",
      message: message("t"),
      hint: "give the property another name",
    }) as Error,
  );
  expect(names(deployment)).toEqual([]);
});

it.each(schemas)("S1 M1 and draws a warning where a source has it: %s", async (_, schema) => {
  const deployment = deploy();
  await deployment.source(source("s", [tool("t", { inputSchema: JSON.parse(schema) as object as never })], "s_"));
  expect(names(deployment)).toEqual(["s_t"]);
  expect(deployment.warnings).toEqual([{ kind: "schema", tool: "s_t", source: "s", message: message("s_t") }]);
});

it("S1 the name is data where it is a value, and other inherited names are properties like any", () => {
  const deployment = deploy();
  const inputSchema = JSON.parse(
    '{"type":"object","properties":{"constructor":{"const":{"properties":{"__proto__":1}}},"toString":{"enum":["__proto__"]},"properties":{"type":"string"}}}',
  ) as object;
  deployment.tool(tool("__proto__", { inputSchema: inputSchema as never }));
  expect(names(deployment)).toEqual(["__proto__"]);
});
