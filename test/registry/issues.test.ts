import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json.ts";
import { describeIssues, readSchema } from "../../src/registry/schema.ts";

async function problems(schema: unknown, value: JsonValue): Promise<string[]> {
  const parsed = await readSchema(schema, { what: "t", io: "input", warn: () => undefined }).parse(value);
  return parsed.ok ? [] : describeIssues(parsed.issues).split("\n");
}

const property = (a: unknown) => ({ type: "object", properties: { a } });

describe("what does not match", () => {
  it("C2 each path, what was expected and what came", async () => {
    const schema = {
      type: "object",
      properties: {
        id: { type: "string" },
        tags: { type: "array", items: { type: "integer" } },
        "a b": { type: ["string", "null"] },
      },
      required: ["id"],
    };
    expect(await problems(schema, { tags: [1, 2.5, "x"], "a b": { k: 1 } })).toEqual([
      "$.id: expected string, came nothing",
      "$.tags[1]: expected integer, came 2.5",
      '$.tags[2]: expected integer, came "x"',
      '$["a b"]: expected string or null, came an object with k',
    ]);
  });

  it.each<[object | false, JsonValue, string]>([
    [{ minimum: 5 }, 3, "$.a: expected >= 5, came 3"],
    [{ exclusiveMaximum: 5 }, 5, "$.a: expected < 5, came 5"],
    [{ multipleOf: 2 }, 3, "$.a: expected a multiple of 2, came 3"],
    [{ minLength: 2 }, "x", '$.a: expected text of at least 2 characters, came "x"'],
    [{ pattern: "^a" }, "b", '$.a: expected text that matches ^a, came "b"'],
    [{ maxItems: 1 }, [1, 2], "$.a: expected at most 1 items, came an array of 2"],
    [{ uniqueItems: true }, [1, 1], "$.a: expected items that all differ, came an array of 2"],
    [{ minProperties: 1 }, {}, "$.a: expected at least 1 properties, came an empty object"],
    [{ const: "x" }, "y", '$.a: expected "x", came "y"'],
    [{ enum: ["x", 1, null] }, [], '$.a: expected "x" or 1 or null, came an empty array'],
    [{ not: { type: "string" } }, "y", '$.a: expected anything but string, came "y"'],
    [{ contains: { type: "string" } }, [1], "$.a: expected an item that is string, came an array of 1"],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '$.a: expected another property name than "ab", came an object with ab',
    ],
    [false, 1, "$.a: expected nothing, came 1"],
    [{ dependentRequired: { x: ["y"] } }, { x: 1 }, "$.a.y: expected a value, came nothing"],
  ])("C2 %j against %j", async (schema, value, line) => {
    expect(await problems(property(schema), { a: value })).toEqual([line]);
  });

  it("C2 an unknown property names the nearest one, or those there are", async () => {
    const closed = { type: "object", properties: { path: {}, limit: {} }, additionalProperties: false };
    expect(await problems(closed, { pathh: "x" })).toEqual([
      '$.pathh: expected no property of this name (did you mean "path"?), came "x"',
    ]);
    expect(await problems(closed, { zzzzzz: 1 })).toEqual([
      "$.zzzzzz: expected no property of this name (there are path, limit), came 1",
    ]);
  });

  it("C2 a value that came as a string of JSON is told to come as itself, a real string never is (D14)", async () => {
    const schema = {
      type: "object",
      properties: { list: { type: "array", items: { type: "string" } }, text: { type: "string", maxLength: 3 } },
    };
    expect(await problems(schema, { list: '["a"]', text: '["a"]' })).toEqual([
      "$.list: expected an array of string, came a string that holds JSON; pass the value itself",
      '$.text: expected text of at most 3 characters, came "[\\"a\\"]"',
    ]);
    expect(await problems(schema, { list: "[a" })).toEqual(['$.list: expected an array of string, came "[a"']);
  });

  it("C2 a string of JSON is itself where only texts are wanted, whatever these say", async () => {
    expect(await problems(property({ enum: ["array", "object"] }), { a: '{"x":1}' })).toEqual([
      '$.a: expected "array" or "object", came "{\\"x\\":1}"',
    ]);
  });

  it("C2 up to three missing properties have a line each, more of them one line", async () => {
    const schema = (count: number): object => {
      const names = Array.from({ length: count }, (_, index) => `k${index}`);
      return {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        required: names,
      };
    };
    expect(await problems(schema(3), { k1: "x" })).toEqual([
      "$.k0: expected string, came nothing",
      "$.k2: expected string, came nothing",
    ]);
    expect(await problems(schema(5), { k1: "x" })).toEqual([
      "$: expected the properties k0, k2, k3, k4, came an object with k1",
    ]);
    expect(await problems(schema(12), {})).toEqual([
      "$: expected the properties k0, k1, k2, k3, k4, k5, k6, k7 and 4 more, came an empty object",
    ]);
  });

  it("C2 a long list of values is cut, and the nearest of them named", async () => {
    const regions = Array.from({ length: 300 }, (_, index) => `region-${index}`);
    const eight = regions
      .slice(0, 8)
      .map((region) => `"${region}"`)
      .join(" or ");
    expect(await problems(property({ enum: regions }), { a: "regon-250" })).toEqual([
      `$.a: expected ${eight} or one of 292 more (did you mean "region-250"?), came "regon-250"`,
    ]);
    expect(await problems(property({ enum: regions }), { a: 5 })).toEqual([
      `$.a: expected ${eight} or one of 292 more, came 5`,
    ]);
  });

  it("C2 no message is long, whatever the names, patterns and values are", async () => {
    const long = "x".repeat(5_000);
    const closed = { type: "object", properties: { [long]: {}, other: {} }, additionalProperties: false };
    for (const [schema, value] of [
      [closed, { zz: 1 }],
      [closed, { [`${long}y`]: 1 }],
      [property({ pattern: `^${"a".repeat(300)}$` }), { a: long }],
      [property({ enum: [long, `${long}y`] }), { a: long.slice(1) }],
      [{ type: "object", required: Array.from({ length: 9 }, (_, index) => `${long}${index}`) }, {}],
      [
        property({ anyOf: Array.from({ length: 20 }, (_, index) => ({ const: `${index}${long.slice(0, 500)}` })) }),
        { a: 1 },
      ],
    ] as const) {
      const lines = await problems(schema, value);
      expect(lines).toHaveLength(1);
      expect(lines.join().length).toBeLessThan(400);
    }
  });

  it("C2 long values are shown in part, with their size", async () => {
    expect(await problems(property({ type: "number" }), { a: "x".repeat(100) })).toEqual([
      `$.a: expected number, came "${"x".repeat(60)}"… (100 characters)`,
    ]);
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, 1]));
    expect(await problems(property({ type: "number" }), { a: wide })).toEqual([
      "$.a: expected number, came an object with k0, k1, k2, k3, k4 and 4 more",
    ]);
  });

  it("C2 no more lines than asked for, and how many more there are", async () => {
    const issues = Array.from({ length: 7 }, (_, index) => ({ path: `$[${index}]`, expected: "number", came: '"x"' }));
    expect(describeIssues(issues, 2)).toBe(
      '$[0]: expected number, came "x"\n$[1]: expected number, came "x"\nand 5 more',
    );
  });
});

describe("unions", () => {
  it("C2 one line says all that is accepted (D15)", async () => {
    const schema = property({ anyOf: [{ enum: ["a", "b"] }, false, { type: "object" }] });
    expect(await problems(schema, { a: '{"x":1}' })).toEqual([
      '$.a: expected "a" or "b" or an object, came a string that holds JSON; pass the value itself',
    ]);
    expect(await problems(schema, { a: 1 })).toEqual(['$.a: expected "a" or "b" or an object, came 1']);
  });

  it("C2 a nullable object shows the mistake inside it", async () => {
    const schema = property({
      anyOf: [{ type: "null" }, { type: "object", properties: { x: { type: "number" } }, required: ["x"] }],
    });
    expect(await problems(schema, { a: { x: "1" } })).toEqual(['$.a.x: expected number, came "1"']);
    expect(await problems(schema, { a: {} })).toEqual(["$.a.x: expected number, came nothing"]);
  });

  it("C2 a tagged union shows the mistake in the branch of its tag, through references", async () => {
    const branch = (kind: string, type: string) => ({
      type: "object",
      properties: { kind: { const: kind }, v: { type } },
      required: ["kind", "v"],
    });
    const schema = {
      ...property({ $ref: "#/$defs/u" }),
      $defs: {
        u: { oneOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] },
        a: branch("a", "number"),
        b: branch("b", "string"),
      },
    };
    expect(await problems(schema, { a: { kind: "a", v: "x" } })).toEqual(['$.a.v: expected number, came "x"']);
    expect(await problems(schema, { a: { kind: "c", v: 1 } })).toEqual(['$.a.kind: expected "a" or "b", came "c"']);
  });

  it("C2 a tag that no alternative has lists those there are, one that is missing too", async () => {
    const kinds = Array.from({ length: 20 }, (_, index) => `kind_${index}`);
    const branch = (kind: string) => ({
      type: "object",
      properties: { kind: { const: kind }, [`of_${kind}`]: { type: "string" } },
      required: ["kind", `of_${kind}`],
      additionalProperties: false,
    });
    const schema = property({ anyOf: kinds.map(branch) });
    const eight = kinds
      .slice(0, 8)
      .map((kind) => `"${kind}"`)
      .join(" or ");
    expect(await problems(schema, { a: { kind: "knd_15", of_kind_1: "x" } })).toEqual([
      `$.a.kind: expected ${eight} or one of 12 more (did you mean "kind_15"?), came "knd_15"`,
    ]);
    expect(await problems(schema, { a: { kind: "kind_7" } })).toEqual(["$.a.of_kind_7: expected string, came nothing"]);
    expect(await problems(schema, { a: { kind: "kind_7", of_kind7: "x" } })).toEqual([
      "$.a.of_kind_7: expected string, came nothing",
    ]);
    expect(await problems(schema, { a: 5 })).toEqual(["$.a: expected an object, came 5"]);
    expect(await problems(schema, { a: JSON.stringify({ kind: "kind_7" }) })).toEqual([
      "$.a: expected an object, came a string that holds JSON; pass the value itself",
    ]);
  });

  it("C2 of alternatives without a tag the one with the fewest mistakes counts, where there is one", async () => {
    const names = Array.from({ length: 20 }, (_, index) => [`a${index}x`, `b${index}x`, `c${index}x`]);
    const schema = property({
      anyOf: names.map((keys) => ({
        type: "object",
        properties: Object.fromEntries(keys.map((key) => [key, { type: "number" }])),
        required: keys,
      })),
    });
    expect(await problems(schema, { a: { a3x: 1, b3x: 2, c3x: "3" } })).toEqual(['$.a.c3x: expected number, came "3"']);
    expect(await problems(schema, { a: { other: 1 } })).toEqual(["$.a: expected an object, came an object with other"]);
  });

  it("C2 what more than one alternative accepts says so", async () => {
    expect(await problems(property({ oneOf: [{ type: "number" }, { minimum: 1 }] }), { a: 1 })).toEqual([
      "$.a: expected what exactly one of the alternatives accepts, came 1",
    ]);
  });

  it("C2 a mistake beside a union has its own line", async () => {
    const schema = {
      type: "object",
      properties: { n: { type: "number" } },
      anyOf: [{ required: ["x"] }, { required: ["y"] }],
    };
    expect(await problems(schema, { n: "1" })).toEqual([
      "$: expected an object with x or an object with y, came an object with n",
      '$.n: expected number, came "1"',
    ]);
  });

  it("C2 recursive unions end", async () => {
    const schema = {
      $ref: "#/$defs/e",
      $defs: { e: { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/e" } }] } },
    };
    expect(await problems(schema, [["a"], [1]])).toEqual([
      "$[1][0]: expected string or an array of string or an array of a value, came 1",
    ]);
  });
});
