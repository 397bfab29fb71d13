import { expect, it } from "vitest";
import { z } from "zod";
import { sampleCall } from "../../src/runtime/check/sample-call.ts";
import type { AnyTool } from "../../src/index.ts";
import type { JsonSchema } from "../../src/registry/schema.ts";
import type { OfferedTool } from "../../src/registry/surface.ts";
import { deploy, tool } from "../registry/tools.ts";
import { describeShared, readCatalogs } from "../shared.ts";

function offered(inputSchema: NonNullable<AnyTool["inputSchema"]>, name = "make"): OfferedTool {
  const deployment = deploy();
  deployment.tool(tool(name, { inputSchema }));
  const [first] = deployment.surface().tools;
  if (first === undefined) throw new Error("the tool is not offered");
  return first;
}

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

it.each<readonly [string | undefined, JsonSchema]>([
  ["await tools.make()", object({ a: { type: "string" } }, [])],
  [
    'await tools.make({ a: "...", "b-c": 1, d: true })',
    object({ a: { type: "string" }, "b-c": { type: "integer" }, d: { type: "boolean" } }),
  ],
  ['await tools.make({ state: "open", kind: 7 })', object({ state: { enum: ["open", "closed"] }, kind: { const: 7 } })],
  [
    "await tools.make({ n: 10, m: 1 })",
    object({ n: { type: "integer", minimum: 9.5 }, m: { type: "number", minimum: -3 } }),
  ],
  [
    'await tools.make({ a: ["..."], b: [] })',
    object({ a: { type: "array", items: { type: "string" }, minItems: 1 }, b: { type: "array" } }),
  ],
  [
    'await tools.make({ at: "2026-01-01", to: "ada" })',
    object({ at: { type: "string", default: "2026-01-01" }, to: { type: "string", examples: ["ada"] } }),
  ],
  ["await tools.make({ in: { line: 1 } })", object({ in: { $ref: "#/$defs/place" } }, ["in"])],
  ['await tools.make({ q: "..." })', object({ q: { anyOf: [{ type: "string" }, { type: "array" }] } })],
  ["await tools.make({ q: null })", object({ q: { type: "null" } })],
  // No value that was made up matches the pattern, so none is shown.
  [undefined, object({ id: { type: "string", pattern: "^[A-Z]{3}-\\d+$" } })],
])("X11 a call that works: %s", async (call, schema) => {
  const whole = { ...schema, $defs: { place: object({ line: { type: "integer" } }) } };
  expect(await sampleCall(offered(whole))).toBe(call);
});

it("X11 a tool whose name is no identifier is called by its alias", async () => {
  expect(await sampleCall(offered({}, "fetch-page"))).toBe("await tools.fetch_page()");
});

it("X11 no code of the host is run for it: arguments that are made up reach no validator", async () => {
  let times = 0;
  const schema = z.object({ order: z.string().refine(async () => (times += 1) > 0) });
  expect(await sampleCall(offered(schema))).toBe('await tools.make({ order: "..." })');
  expect(times).toBe(0);
});

describeShared("the catalogues", () => {
  it("X11 nearly every tool has one", async () => {
    const catalogs = [...readCatalogs().values()].flat().filter(({ name }) => name !== "read_pdf");
    const calls = await Promise.all(catalogs.map(({ name, inputSchema }) => sampleCall(offered(inputSchema, name))));
    const without = calls.filter((call) => call === undefined).length;
    expect(without / calls.length).toBeLessThan(0.1);
  });
});
