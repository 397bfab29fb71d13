import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { bounds } from "../../../src/limits.ts";
import { isFieldName } from "../../../src/registry/learn/field-names.ts";
import { countShapes, mergeShapes, readShape, type Shape, shapeOf } from "../../../src/registry/learn/shape.ts";
import { shownShape } from "../../../src/registry/learn/shown-shape.ts";
import { typeText } from "../../../src/prompt/type-text.ts";

const learn = (...values: JsonValue[]): Shape => values.map((value) => shapeOf(value)).reduce(mergeShapes);
/** What a model reads of results. */
const shown = (...values: JsonValue[]): string =>
  typeText(shownShape(learn(...values)) ?? {}, { io: "output" }).text.replaceAll(/\s*\n\s*/g, " ");
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("id", "name", "tags", "created_at", "@type") },
  { weight: 1, arbitrary: fc.constantFrom("a@b.org", "2024-01-01", "__proto__", "") },
  { weight: 1, arbitrary: fc.string() },
);
const { value: anyJson } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 8, depthSize: "large" },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, "x"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

describe("shapes", () => {
  it.each<[string, JsonValue[], string]>([
    ["kinds, in any order", [1, "a", null], "number | string | null"],
    ["fields that were always there", [{ id: 1, name: "a" }], "{ id: number; name: string }"],
    ["fields that were missing once", [{ id: 1, name: "a" }, { id: 2 }], "{ id: number; name?: string }"],
    ["fields of different kinds", [{ id: 1 }, { id: "x" }], "{ id: number | string }"],
    ["items, merged", [[{ id: 1 }, { id: 2, to: [] }]], "{ id: number; to?: Unknown[] }[]"],
    ["items of an array that was empty first", [[], ["a"]], "string[]"],
    ["what was never seen but as null", [{ id: 1, owner: null }], "{ id: number; owner: Unknown }"],
    ["what is null or something", [{ owner: null }, { owner: "a" }], "{ owner: string | null }"],
    ["nothing", [null], "Unknown"],
  ])("D6 say %s", (_, values, text) => {
    expect(shown(...values)).toBe(text);
  });

  it("D6 hold no value: neither texts and numbers nor keys that are data", () => {
    const shape = learn({
      user: "Ada Lovelace",
      by_email: { "ada@example.org": { age: 36 }, "bob@example.org": { age: 41, city: "Oslo" } },
      by_day: { "2024-05-01": 3 },
      ids: { "7f9c2ba4-e88f-11ee-9c3a-0242ac120002": ["x"] },
      amount: 1234567,
    });
    expect(shape).toEqual({
      type: ["object"],
      properties: {
        amount: { type: ["number"] },
        by_day: { type: ["object"], additionalProperties: { type: ["number"] } },
        by_email: {
          type: ["object"],
          additionalProperties: {
            type: ["object"],
            properties: { age: { type: ["number"] }, city: { type: ["string"] } },
            required: ["age"],
          },
        },
        ids: { type: ["object"], additionalProperties: { type: ["array"], items: { type: ["string"] } } },
        user: { type: ["string"] },
      },
      required: ["amount", "by_day", "by_email", "ids", "user"],
    });
  });

  it("D6 a record stays one, whatever names come later", () => {
    expect(shown({ by: { "a@b.org": 1 } }, { by: { total: "x" } })).toBe("{ by: Record<string, number | string> }");
    expect(shown({ by: { total: "x" } }, { by: { "a@b.org": 1 } })).toBe("{ by: Record<string, number | string> }");
  });

  it("D6 more names than an object has are keys of a map, however few come at a time", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz".split("");
    const named = (count: number): string[] => letters.flatMap((a) => letters.map((b) => `k${a}${b}`)).slice(0, count);
    const one = (name: string): JsonObject => ({ [name]: 1 });
    const few = learn(...named(bounds.learnedKeys).map(one));
    expect(Object.keys(few.properties ?? {})).toHaveLength(bounds.learnedKeys);
    expect(learn(...named(bounds.learnedKeys + 1).map(one))).toEqual({
      type: ["object"],
      additionalProperties: { type: ["number"] },
    });
  });

  it("D6 what nests too deep may be anything", () => {
    const nest = (depth: number): JsonValue => (depth === 0 ? 1 : { in: nest(depth - 1) });
    const text = shown(nest(bounds.learnedDepth + 3));
    expect(text).toBe(`${"{ in: ".repeat(bounds.learnedDepth)}Unknown${" }".repeat(bounds.learnedDepth)}`);
  });

  it("D6 a wide shape is shown as deep as it stays short", () => {
    const names = "abcdefghijklmnop".split("");
    const wide = (depth: number): JsonValue =>
      depth === 0 ? 1 : Object.fromEntries(names.map((name) => [name, wide(depth - 1)]));
    expect(countShapes(shapeOf(wide(2)))).toBeGreaterThan(bounds.learnedShown);
    expect(shown(wide(2))).toBe(`{ ${names.map((name) => `${name}: Unknown`).join(" ")} }`);
  });

  it("D6 any value conforms to the shape that was learned from it and others, and to what is shown", () => {
    fc.assert(
      fc.property(fc.array(anyJson, { minLength: 1, maxLength: 4 }), (values) => {
        const shape = learn(...values);
        const checks = [shape, shownShape(shape) ?? {}].map((schema) => new Ajv2020({ strict: false }).compile(schema));
        for (const value of values) expect(checks.map((check) => check(value))).toEqual([true, true]);
      }),
      { numRuns: 60 },
    );
  });

  it("D6 results in any order and grouping give one shape, and a result seen again changes nothing", () => {
    fc.assert(
      fc.property(anyJson, anyJson, anyJson, (a, b, c) => {
        const text = JSON.stringify(learn(a, b, c));
        for (const other of [learn(c, a, b), learn(b, c, a), learn(b, a, c, a, b)])
          expect(JSON.stringify(other)).toBe(text);
        expect(JSON.stringify(mergeShapes(shapeOf(a), learn(b, c)))).toBe(text);
      }),
    );
  });

  it("D6 what is written down is read again as it was; what is no shape is refused", () => {
    fc.assert(
      fc.property(fc.array(anyJson, { minLength: 1, maxLength: 3 }), (values) => {
        const shape = learn(...values);
        expect(readShape(JSON.parse(JSON.stringify(shape)))).toEqual(shape);
      }),
    );
    for (const none of [null, 1, [], { type: "string" }, { type: [] }, { type: ["integer"] }, { type: ["object"] }]) {
      expect(readShape(none)).toBeUndefined();
    }
    expect(readShape({ type: ["object"], properties: { "a@b.org": { type: ["null"] } }, required: [] })).toEqual({
      type: ["object"],
      additionalProperties: { type: ["null"] },
    });
  });
});

describe("keys", () => {
  it.each([
    "id",
    "created_at",
    "createdAt",
    "Content-Type",
    "@type",
    "$ref",
    "_links",
    "og:title",
    "ipv4",
    "sha256",
    "名前",
    "line_1",
  ])("D6 %s is a name", (name) => {
    expect(isFieldName(name)).toBe(true);
  });
  it.each([
    "",
    "ada@example.org",
    "2024-01-01",
    "42",
    "user_12345",
    "Ada Lovelace",
    "/etc/passwd",
    "a.b",
    "dQw4w9WgXcQ",
    "550e8400-e29b",
    "x".repeat(41),
    "+4712345678",
    "order_42",
  ])("D6 %j is data", (name) => {
    expect(isFieldName(name)).toBe(false);
  });
});
