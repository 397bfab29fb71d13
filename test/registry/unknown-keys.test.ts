import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { makeTool } from "../../src/registry/make-tool.ts";
import { prepareUnknownKeys } from "../../src/registry/unknown-keys.ts";
import { tool } from "./tools.ts";

describe("keys that a schema does not name", () => {
  const schema: JsonObject = { type: "object", properties: { path: {}, limit: {}, createdAt: {} } };

  it("C2 near misses are told, in the order given, with what was meant (D18)", () => {
    expect(prepareUnknownKeys(schema)({ pathh: "x", Limit: 1, created_at: 2 })).toEqual([
      { key: "pathh", didYouMean: "path" },
      { key: "Limit", didYouMean: "limit" },
      { key: "created_at", didYouMean: "createdAt" },
    ]);
  });

  it("C2 other keys, declared ones, and misses of a key that is given too are not told (D18)", () => {
    expect(prepareUnknownKeys(schema)({ path: "x", limit: 1 })).toEqual([]);
    expect(prepareUnknownKeys(schema)({ path: "x", pathh: "y" })).toEqual([]);
    expect(prepareUnknownKeys(schema)({ verbose: true, constructor: 1 })).toEqual([]);
    expect(prepareUnknownKeys({ type: "object" })({ a: 1 })).toEqual([]);
  });

  it("C2 names in branches and behind references are declared as well (D18)", () => {
    const branched: JsonObject = {
      properties: { path: {} },
      allOf: [{ $ref: "#/$defs/more" }],
      anyOf: [{ properties: { paths: {} } }],
      if: { properties: { mode: {} } },
      dependentSchemas: { path: { properties: { depth: {} } } },
      $defs: { more: { properties: { limits: {} }, allOf: [{ $ref: "#" }] } },
    };
    expect(prepareUnknownKeys(branched)({ paths: 1, limits: 2 })).toEqual([]);
    expect(prepareUnknownKeys(branched)({ limit: 1, modes: 2, dept: 3 })).toEqual([
      { key: "limit", didYouMean: "limits" },
      { key: "modes", didYouMean: "mode" },
      { key: "dept", didYouMean: "depth" },
    ]);
  });

  it.each<[JsonObject]>([
    [{ patternProperties: { "^p": {} } }],
    [{ additionalProperties: { type: "string" } }],
    [{ allOf: [{ additionalProperties: { type: "string" } }] }],
    [{ unevaluatedProperties: { type: "string" } }],
  ])("C2 where %j makes names data nothing is told (D18)", (more) => {
    expect(prepareUnknownKeys({ ...schema, ...more })({ pathh: 1 })).toEqual([]);
    expect(prepareUnknownKeys({ ...schema, additionalProperties: true })({ pathh: 1 })).toHaveLength(1);
  });

  it("C2 of many only some are looked at (D18)", () => {
    const args = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`pathh${at}`, at]));
    expect(prepareUnknownKeys(schema)({ ...args, limitt: 1 }).length).toBeLessThanOrEqual(8);
    const wide = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`name${at}`, {}]));
    expect(prepareUnknownKeys({ properties: wide })({ nam1: 1 })).toEqual([]);
  });

  it("C2 the schema is read once, at the first use, and a tool keeps what was read (D18)", () => {
    let reads = 0;
    const counted: JsonObject = {
      get properties() {
        reads += 1;
        return { path: {} };
      },
    };
    const strays = prepareUnknownKeys(counted);
    expect(reads).toBe(0);
    expect(strays({ pathh: 1 })).toEqual([{ key: "pathh", didYouMean: "path" }]);
    const once = reads;
    expect(strays({ pat: 1 })).toEqual([{ key: "pat", didYouMean: "path" }]);
    expect([once > 0, reads]).toEqual([true, once]);
    const made = makeTool(tool("t", { inputSchema: { type: "object", properties: { path: {} } } }), {
      prefix: "",
      source: "s",
      warn: () => undefined,
      isStrict: true,
    });
    expect(made.strayKeys({ paht: 1, path: 2 })).toEqual([]);
    expect(made.strayKeys({ pahts: 1, pathh: 1 })).toContainEqual({ key: "pathh", didYouMean: "path" });
  });
});
