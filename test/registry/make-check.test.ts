import { describe, expect, it } from "vitest";
import { canonicalJson, type JsonValue } from "../../src/json.ts";
import * as fc from "fast-check";
import { bounds } from "../../src/limits.ts";
import { copySchema } from "../../src/registry/copy-schema.ts";
import { describeIssues, readSchema } from "../../src/registry/schema.ts";
import { describeShared, readCatalogs } from "../shared.ts";

function read(schema: object, io: "input" | "output" = "input") {
  const warnings: string[] = [];
  const use = { what: 'tool "t", schema', io, warn: (message: string) => void warnings.push(message) };
  const { json, parse } = readSchema(schema, use);
  const problems = async (value: JsonValue): Promise<string | undefined> => {
    const parsed = await parse(value);
    return parsed.ok ? undefined : describeIssues(parsed.issues);
  };
  return { json, problems, warnings };
}

const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(each(count, (index) => [`p${index}`, make(index)]));

function nest(depth: number): JsonValue {
  let value: JsonValue = {};
  for (let at = 0; at < depth; at++) value = { a: value };
  return value;
}

describe("the size of a schema", () => {
  it("C2 one that is too large to compile is kept and left unchecked, and an input must still be an object", async () => {
    const schema = { anyOf: each(300, (index) => ({ required: [`r${index}`], minProperties: 1 })) };
    const { json, problems, warnings } = read(schema);
    expect(warnings).toEqual([
      `tool "t", schema is of size ${1 + 1 + 300 * 3 + 75 + Math.ceil((300 * 21 + 10 * 2 + 90 * 3 + 200 * 4 + 5) / 64)}, over the 1000 that are checked; any object is let through`,
    ]);
    expect(json).toEqual(schema);
    expect(await problems({})).toBeUndefined();
    expect(await problems([])).toBe("$: expected an object, came an empty array");
    const output = read(schema, "output");
    expect(await output.problems([])).toBeUndefined();
    expect(output.warnings[0]).toMatch(/; results are not checked$/);
  });

  it("C2 counts what is shared as often as it would be written, and stops counting", async () => {
    let schema: object = { type: "string" };
    for (let level = 0; level < 40; level++) schema = { anyOf: [schema, schema] };
    const { json, problems, warnings } = read(schema);
    expect(json).toEqual({ type: "object" });
    expect(warnings).toEqual([
      'tool "t", schema is of a size over 50000 or nests more than 200 levels deep and is not kept; any object is let through',
    ]);
    expect([await problems({ a: 1 }), await problems(5)]).toEqual([undefined, "$: expected an object, came 5"]);
    expect(read(schema, "output").json).toEqual({});
  });

  it.each([201, 100_000])("C2 one that nests %i deep is not kept", async (depth) => {
    let schema: object = {};
    for (let level = 0; level < depth; level++) schema = { not: schema };
    const { json, problems, warnings } = read(schema);
    expect([json, await problems({}), warnings.length]).toEqual([{ type: "object" }, undefined, 1]);
  });

  it("C2 notes and the literals of a list weigh little", async () => {
    const size = (schema: object) => copySchema(schema, "t").size;
    expect(size({ description: "x".repeat(100_000), title: "y", $comment: "z" })).toBe(1);
    expect(size({ enum: each(400, String) })).toBe(120);
    expect(size({ const: "x".repeat(640) })).toBe(13);
    expect(copySchema({ description: "x".repeat(64 * bounds.schemaKept) }, "t").json).toBeUndefined();
  });

  it("C2 a large definition that is referred to often is compiled once", async () => {
    const big = { properties: named(200, () => ({ type: "string" })) };
    const { problems, warnings } = read({ $defs: { big }, properties: named(200, () => ({ $ref: "#/$defs/big" })) });
    expect(await problems({ p7: { p199: 1 } })).toBe("$.p7.p199: expected string, came 1");
    expect(warnings).toEqual([]);
  });
});

describeShared("the catalogues' schemas", () => {
  it("C2 all are far smaller than what is checked", async () => {
    const tools = [...readCatalogs().values()].flat();
    const schemas = tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema ?? {}]);
    const largest = Math.max(...schemas.map((schema) => copySchema(schema, "t").size));
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(bounds.schemaSize / 3);
  });
});

describe("a check that fails itself", () => {
  it.each<[object]>([
    [{ $ref: "#" }],
    [{ allOf: [{ $ref: "#" }] }],
    [{ anyOf: [{ $ref: "#" }, {}] }],
    [{ if: { $ref: "#" }, then: { required: ["x"] } }],
    [{ not: { $ref: "#" } }],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" }],
    [{ properties: { a: { $ref: "#/properties/a" } } }],
    [{ $defs: { a: { not: { $ref: "#/$defs/a" } } }, properties: { a: { $ref: "#/$defs/a" } } }],
  ])("C2 S1 %j is broken: unchecked from the first value on, with one warning", async (schema) => {
    const { problems, warnings } = read(schema);
    expect([await problems({ a: 1 }), await problems({ a: {} }), await problems({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await problems("x")).toBe('$: expected an object, came "x"');
    expect(warnings).toEqual([
      'tool "t", schema cannot be used: it refers to itself without end; any object is let through',
    ]);
  });

  it("C2 S1 a value that is too deep does not hide that the schema is broken", async () => {
    const { problems, warnings } = read({ $ref: "#" });
    expect(await problems(nest(900))).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  it("C2 a value too deep for a recursive schema is refused, and the next one is checked", async () => {
    const { problems, warnings } = read({ properties: { a: { $ref: "#" } }, additionalProperties: false });
    expect(await problems(nest(50))).toBeUndefined();
    expect(await problems(nest(50_000))).toBe(
      "$: expected a value that is not nested too deeply to be checked, came an object with a",
    );
    expect(await problems({ a: { b: 1 } })).toBe("$.a.b: expected no property of this name (there are a), came 1");
    expect(warnings).toEqual([]);
  });
});

describe("the steps of a check", () => {
  const chain = named(40, (at) => ({
    allOf: [{ $ref: `#/$defs/p${at + 1}` }, { $ref: `#/$defs/p${at + 1}` }],
  }));
  const $defs = { ...chain, p40: {} };
  const tooMany = /^\$: expected a value that takes fewer steps to be checked, came an object with /;

  it("C2 references that double forty times leave the schema unchecked where any value meets them", async () => {
    const { problems, warnings } = read({ $defs, $ref: "#/$defs/p0" });
    expect([await problems({}), await problems({ a: 1 })]).toEqual([undefined, undefined]);
    expect(warnings).toEqual([
      'tool "t", schema cannot be used: the check takes more than 6000000 steps; any object is let through',
    ]);
  });

  it("C2 where only some values meet them, those are refused and others checked", async () => {
    const { problems, warnings } = read({
      $defs,
      properties: { a: { $ref: "#/$defs/p0" }, b: { type: "string" } },
    });
    expect(await problems({ a: 1 })).toMatch(tooMany);
    expect(await problems({ b: 1 })).toBe("$.b: expected string, came 1");
    expect(await problems({ a: 1 })).toMatch(tooMany);
    expect(warnings).toEqual([]);
  });

  it.each<[string, object, JsonValue]>([
    ["characters counted", { allOf: each(200, () => ({ minLength: 1 })) }, "x".repeat(1_000_000)],
    [
      "branches on items",
      { items: { anyOf: each(200, (value) => ({ const: { value } })) } },
      each(50_000, () => ({ value: 199 })),
    ],
    ["items gone over", { allOf: each(200, () => ({ items: {}, contains: {} })) }, each(50_000, (item) => item)],
    ["items compared", { allOf: each(200, () => ({ uniqueItems: true })) }, each(20_000, (item) => item)],
    [
      "properties gone over",
      { allOf: each(200, () => ({ propertyNames: { minLength: 1 } })) },
      named(30_000, Number) as JsonValue,
    ],
    ["texts matched", { items: { pattern: "[ab]*a[ab]{300}" } }, each(100, () => "ab".repeat(5_000))],
    ["branches upon branches", { $ref: "#/$defs/tree" }, nest(25)],
  ])("C2 %s without end are refused", async (_, a, value) => {
    const tree = {
      anyOf: [{ properties: { a: { $ref: "#/$defs/tree" } }, required: ["z"] }, { $ref: "#/$defs/twice" }],
    };
    const twice = { allOf: each(2, () => ({ properties: { a: { $ref: "#/$defs/tree" } } })) };
    const { problems, warnings } = read({ $defs: { tree, twice }, properties: { a } });
    expect(await problems({ a: value })).toMatch(tooMany);
    expect(await problems({ b: value })).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("C2 large values that are plainly right or wrong are answered", async () => {
    const { problems } = read({
      properties: {
        a: { items: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false } },
      },
    });
    const rows = each(100_000, (n) => ({ n }));
    expect(await problems({ a: rows })).toBeUndefined();
    expect(await problems({ a: [...rows, { n: "x" }] })).toBe('$.a[100000].n: expected number, came "x"');
  });
});

describe("the mistakes of a large value", () => {
  it("C2 all are counted where there are few, and only the first is told where counting takes too long", async () => {
    const { problems } = read({ properties: { a: { items: { type: "string" } } } });
    expect((await problems({ a: each(50, Number) }))?.split("\n").at(-1)).toBe("and 45 more");
    expect(await problems({ a: each(150_000, Number) })).toBe("$.a[0]: expected string, came 0");
  });
});

describe("unique items", () => {
  const isUnique = async (items: readonly JsonValue[]) =>
    (await read({ properties: { a: { uniqueItems: true } } }).problems({ a: items })) === undefined;

  it("C2 are told apart as JSON, whatever the order of keys", async () => {
    expect(
      await isUnique([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false);
    expect(await isUnique([[1, 2], [2, 1], 1, "1", [1], true, null, "null", {}, [], 0, false, ""])).toBe(true);
    expect(await isUnique([0, -0])).toBe(false);
    expect(await isUnique([{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }])).toBe(true);
    const off = read({ properties: { a: { uniqueItems: false } } });
    expect(await off.problems({ a: [1, 1] })).toBeUndefined();
  });

  it("C2 any array is unique exactly where no two items are equal", async () => {
    const item = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), async (items) => {
        const values = JSON.parse(JSON.stringify(items)) as JsonValue[];
        const isEqual = (a: JsonValue, b: JsonValue) => canonicalJson(a) === canonicalJson(b);
        expect(await isUnique(values)).toBe(!values.some((a, i) => values.some((b, j) => i < j && isEqual(a, b))));
      }),
    );
  });

  it("C2 many take time by their number", async () => {
    const ids = each(100_000, (id) => ({ id }));
    expect(await isUnique(ids)).toBe(true);
    expect(await isUnique([...ids, { id: 99_999 }])).toBe(false);
  });
});
