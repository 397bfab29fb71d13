import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { unknownKeys } from "../../src/registry/unknown-keys.ts";

describe("keys that a schema does not name", () => {
  const schema: JsonObject = { type: "object", properties: { path: {}, limit: {}, createdAt: {} } };

  it("C2 near misses are told, in the order given, with what was meant (D18)", () => {
    expect(unknownKeys(schema, { pathh: "x", Limit: 1, created_at: 2 })).toEqual([
      { key: "pathh", didYouMean: "path" },
      { key: "Limit", didYouMean: "limit" },
      { key: "created_at", didYouMean: "createdAt" },
    ]);
  });

  it("C2 other keys, declared ones, and misses of a key that is given too are not told (D18)", () => {
    expect(unknownKeys(schema, { path: "x", limit: 1 })).toEqual([]);
    expect(unknownKeys(schema, { path: "x", pathh: "y" })).toEqual([]);
    expect(unknownKeys(schema, { verbose: true, constructor: 1 })).toEqual([]);
    expect(unknownKeys({ type: "object" }, { a: 1 })).toEqual([]);
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
    expect(unknownKeys(branched, { paths: 1, limits: 2 })).toEqual([]);
    expect(unknownKeys(branched, { limit: 1, modes: 2, dept: 3 })).toEqual([
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
    expect(unknownKeys({ ...schema, ...more }, { pathh: 1 })).toEqual([]);
    expect(unknownKeys({ ...schema, additionalProperties: true }, { pathh: 1 })).toHaveLength(1);
  });

  it("C2 of many only some are looked at (D18)", () => {
    const args = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`pathh${at}`, at]));
    expect(unknownKeys(schema, { ...args, limitt: 1 }).length).toBeLessThanOrEqual(8);
    const wide = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`name${at}`, {}]));
    expect(unknownKeys({ properties: wide }, { nam1: 1 })).toEqual([]);
  });
});
