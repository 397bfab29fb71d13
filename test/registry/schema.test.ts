import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonValue } from "../../src/json.ts";
import { describeIssues, readSchema } from "../../src/registry/schema.ts";

function read(schema: unknown, io: "input" | "output" = "input") {
  const warnings: string[] = [];
  const made = readSchema(schema, {
    what: 'tool "t", inputSchema',
    io,
    warn: (message) => void warnings.push(message),
  });
  return { ...made, warnings };
}

async function problems(schema: unknown, value: JsonValue): Promise<string | undefined> {
  const parsed = await read(schema).parse(value);
  return parsed.ok ? undefined : describeIssues(parsed.issues);
}

const accepts = async (schema: unknown, value: JsonValue) =>
  expect(await read(schema).parse(value)).toEqual({ ok: true, value });
const dialect2020 = "https://json-schema.org/draft/2020-12/schema";

describe("JSON Schema", () => {
  it.each([
    [dialect2020],
    [`${dialect2020}#`],
    ["https://json-schema.org/draft/2019-09/schema"],
    ["http://json-schema.org/draft-07/schema#"],
    ["http://json-schema.org/draft-07/schema"],
    ["https://json-schema.org/draft-07/schema#"],
    [undefined],
  ])("S1 the dialect %s is read without a warning (D1 D2)", async ($schema) => {
    const schema = read({
      ...($schema === undefined ? {} : { $schema }),
      type: "object",
      properties: { a: { type: "string" } },
    });
    expect(await schema.parse({ a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect(await schema.parse({ a: 1 })).toMatchObject({ ok: false });
    expect(schema.warnings).toEqual([]);
  });

  it("S1 each dialect has its own tuples", async () => {
    const items = [{ type: "number" }, { type: "string" }];
    const older = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { t: { items, additionalItems: false } },
    };
    const newer = { $schema: dialect2020, properties: { t: { prefixItems: items, items: false } } };
    for (const schema of [older, newer]) {
      await accepts(schema, { t: [1, "a"] });
      expect(await problems(schema, { t: ["a"] })).toBe('$.t[0]: expected number, came "a"');
      expect(await problems(schema, { t: [1, "a", 2] })).toMatch(/^\$\.t/);
    }
    expect(await problems({ properties: { t: { items } } }, { t: ["a"] })).toBe('$.t[0]: expected number, came "a"');
  });

  it("S1 an unknown dialect is read as 2020-12, with a warning", async () => {
    const { parse, warnings } = read({
      $schema: "https://example.com/mine",
      type: "object",
      properties: { a: { type: "string" } },
    });
    expect(await parse({ a: 1 })).toMatchObject({ ok: false });
    expect(warnings).toEqual([
      'tool "t", inputSchema names the dialect "https://example.com/mine", which is not known; it is read as 2020-12',
    ]);
  });

  it("S1 equal and different schemas with one $id live side by side (D3)", async () => {
    const first = {
      $id: "s",
      type: "object",
      properties: { a: { $ref: "#/$defs/x" } },
      $defs: { x: { $id: "x", type: "string" } },
    };
    const second = { ...first, $defs: { x: { $id: "x", type: "number" } } };
    await accepts(first, { a: "1" });
    await accepts(first, { a: "1" });
    await accepts(second, { a: 1 });
    expect(await problems(first, { a: 1 })).toBe("$.a: expected string, came 1");
  });

  it.each(["path", "uint", "google-datetime", "date", "email"])(
    "S1 the format %s is an annotation (D4)",
    async (format) => {
      const schema = { type: "object", properties: { a: { type: "string", format } } };
      expect(await read(schema).parse({ a: "no such thing" })).toEqual({ ok: true, value: { a: "no such thing" } });
    },
  );

  it("S1 unknown keywords are annotations (D5)", async () => {
    const properties = { a: { "x-order": 1, id: "b", example: {} } };
    const { parse, warnings } = read({ type: "object", "x-wrap-result": true, id: "old", properties });
    expect(await parse({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(await parse([])).toMatchObject({ ok: false });
    expect(warnings).toEqual([]);
  });

  it("S1 keyword names are plain names below properties (C3)", async () => {
    const schema = {
      type: "object",
      properties: {
        description: { type: "string" },
        type: { type: "string" },
        $ref: { type: "string" },
        properties: { type: "array" },
      },
    };
    await accepts(schema, { description: "a", type: "b", $ref: "c", properties: [] });
    expect(await problems(schema, { properties: 1 })).toBe("$.properties: expected an array, came 1");
  });

  it("C2 names that objects inherit are data", async () => {
    const schema = {
      type: "object",
      properties: { constructor: { type: "string" }, toString: { type: "number" } },
      required: ["valueOf"],
    };
    await accepts(schema, { valueOf: 1 });
    expect(await problems(schema, {})).toBe("$.valueOf: expected a value, came nothing");
  });

  it("C2 nothing is coerced, filled in or taken away (D7 D10)", async () => {
    await accepts({ oneOf: [{ properties: { mode: { default: "fast" } } }] }, {});
    await accepts({ type: "object", properties: { a: { type: "number", default: 1 } } }, { b: "1" });
    expect(await read({ type: "object", properties: { a: { type: "number" } } }).parse({ a: "1" })).toMatchObject({
      ok: false,
    });
    const value = { a: 1 };
    expect(await read({ type: "object" }, "output").parse(value)).toEqual({ ok: true, value: { a: 1 } });
  });

  it.each([[null], [undefined], [true], [{}]])(
    "S1 without a schema (%j) any object is accepted (D8)",
    async (schema) => {
      expect(read(schema).json).toEqual({ type: "object" });
      await accepts(schema, {});
      await accepts(schema, { a: 1 });
    },
  );

  it("S1 a tool without parameters takes an empty object and nothing else (D8)", async () => {
    const schema = { type: "object", additionalProperties: false };
    await accepts(schema, {});
    expect(await problems(schema, { a: 1 })).toBe("$.a: expected no properties, came 1");
  });

  it("S1 keywords at the root are validated in full (D9)", async () => {
    const schema = {
      type: "object",
      properties: { mode: {} },
      allOf: [JSON.parse('{ "if": { "properties": { "mode": { "const": "a" } } }, "then": { "required": ["x"] } }')],
    };
    await accepts(schema, { mode: "b" });
    expect(await problems(schema, { mode: "a" })).toBe("$.x: expected a value, came nothing");
  });

  it("S1 a union with null accepts null (D16)", async () => {
    const schema = { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } };
    expect(await read(schema).parse({ a: null })).toEqual({ ok: true, value: { a: null } });
  });

  it("S1 the JSON Schema is kept whole and frozen, references and definitions included (D17)", async () => {
    const schema = {
      type: "object",
      properties: { n: { $ref: "#/$defs/n" } },
      $defs: { n: { type: "object", properties: { n: { $ref: "#/$defs/n" } } } },
    };
    const { json, parse } = read(schema);
    expect(json).toEqual(schema);
    expect(json).not.toBe(schema);
    expect(Object.isFrozen(json.$defs)).toBe(true);
    schema.$defs.n.type = "string";
    expect(await parse({ n: { n: {} } })).toMatchObject({ ok: true });
    expect(await parse({ n: { n: 1 } })).toMatchObject({ ok: false });
  });

  it("S1 references to the whole schema, to the published meta-schema, and by escaped pointers work (C8)", async () => {
    await accepts({ type: "object", properties: { a: { $ref: "#" } } }, { a: { a: {} } });
    await accepts({ properties: { a: { $ref: dialect2020 } } }, { a: { type: "string" } });
    const schema = { properties: { a: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": { type: "number" } } };
    expect(await problems(schema, { a: "x" })).toBe('$.a: expected number, came "x"');
  });

  it.each([
    [
      { type: 7 },
      "is broken at #/type, which must be equal to one of the allowed values and is 7; any object is let through",
    ],
    [
      { type: "object", properties: { a: { type: "strin" } } },
      'is broken at #/properties/a/type, which must be equal to one of the allowed values and is "strin"; any object is let through',
    ],
    [
      { properties: { n: { exclusiveMinimum: true } } },
      "is broken at #/properties/n/exclusiveMinimum, which must be number and is true; any object is let through",
    ],
    ["object", "is no schema; any object is let through"],
    [[], "is no schema; any object is let through"],
  ])("S1 the broken schema %j is reported at once and lets any object through (C19 D13)", async (schema, message) => {
    const { warnings, parse } = read(schema);
    expect(warnings).toEqual([`tool "t", inputSchema ${message}`]);
    expect(await parse({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });

  it("S1 a reference that leads nowhere is reported at the first use", async () => {
    const { warnings, parse } = read({ properties: { a: { $ref: "#/$defs/none" } } }, "output");
    expect(warnings).toEqual([]);
    expect(await parse({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(warnings).toEqual([
      'tool "t", inputSchema cannot be used: can\'t resolve reference #/$defs/none from id #; results are not checked',
    ]);
  });

  it("S1 a pattern that only older engines read works, and one that none reads is left unchecked with a warning", async () => {
    expect(await problems({ properties: { a: { pattern: "^[\\w\\-]+$" } } }, { a: "a b" })).toBe(
      '$.a: expected text that matches ^[\\w\\-]+$, came "a b"',
    );
    const { warnings, parse } = read({ properties: { a: { pattern: "(" } } });
    expect(await parse({ a: "x" })).toMatchObject({ ok: true });
    expect(warnings).toEqual([
      'tool "t", inputSchema: the pattern "(" at #/properties/a/pattern is left unchecked: Invalid regular expression: /(/: Unterminated group',
    ]);
  });

  it("S1 a schema that is not JSON is refused", async () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.self = schema;
    expect(() => read(schema)).toThrow(
      expect.objectContaining({
        code: "schema_unsupported",
        message: expect.stringMatching(/^tool "t", inputSchema is not JSON: /),
      }) as Error,
    );
  });
});

describe("zod", () => {
  it("S1 a zod schema gives its JSON Schema and does its own parsing", async () => {
    const { json, parse } = read(
      z.object({ n: z.coerce.number(), mode: z.enum(["a", "b"]).default("a"), q: z.string().optional() }),
    );
    expect(json).toEqual({
      $schema: dialect2020,
      type: "object",
      properties: {
        n: { type: "number" },
        mode: { type: "string", enum: ["a", "b"], default: "a" },
        q: { type: "string" },
      },
      required: ["n"],
    });
    expect(await parse({ n: "5" })).toEqual({ ok: true, value: { n: 5, mode: "a" } });
  });

  it("C2 zod's issues say path, what was expected and what came", async () => {
    const schema = z.object({
      a: z.object({ b: z.array(z.string()) }),
      u: z.union([z.string(), z.number()]),
      n: z.number().min(1),
    });
    expect(await problems(schema, { a: { b: ["x", 1] }, u: true, n: 0 })).toBe(
      [
        "$.a.b[1]: expected string, came 1",
        "$.u: expected string or number, came true",
        "$.n: Too small: expected number to be >=1, came 0",
      ].join("\n"),
    );
    expect(await problems(schema, { a: { b: [] }, u: 1 })).toBe("$.n: expected number, came nothing");
  });

  it("S1 an asynchronous check is awaited, and only then", async () => {
    const schema = read(z.object({ a: z.string().refine(async (text) => text !== "no", "no is not allowed") }));
    const parsed = schema.parse({ a: "no" });
    expect(parsed).toBeInstanceOf(Promise);
    expect(await parsed).toEqual({
      ok: false,
      issues: [{ path: "$.a", expected: "no is not allowed", came: '"no"', message: "no is not allowed" }],
    });
    expect(await schema.parse({ a: "yes" })).toEqual({ ok: true, value: { a: "yes" } });
    expect(read(z.object({ a: z.string() })).parse({ a: "x" })).not.toBeInstanceOf(Promise);
  });

  it("S1 a zod schema without a JSON Schema is refused, saying what to bring", async () => {
    expect(() => read(z.object({ at: z.date() }))).toThrow(
      expect.objectContaining({
        code: "schema_unsupported",
        message:
          'tool "t", inputSchema: the schema, made by "zod", gives no JSON Schema: Date cannot be represented in JSON Schema',
        hint: "bring the JSON Schema along, as { schema, jsonSchema }",
      }) as Error,
    );
  });
});

describe("other libraries", () => {
  const vendor = (more: object = {}): StandardSchemaV1<unknown, { a: number }> => ({
    "~standard": {
      version: 1,
      vendor: "tiny",
      validate: (value) =>
        typeof value === "object" && value !== null && "a" in value
          ? { value: { a: Number(value.a) } }
          : { issues: [{ message: "a is missing", path: [{ key: "a" }] }] },
      ...more,
    },
  });

  it("S1 one that gives a JSON Schema is taken as it is", async () => {
    const asked: unknown[] = [];
    const input = (options: unknown) => {
      asked.push(options);
      return { type: "object", required: ["a"] };
    };
    const { json, parse } = read(vendor({ jsonSchema: { input, output: input } }));
    expect(asked).toEqual([{ target: "draft-2020-12" }]);
    expect(json).toEqual({ type: "object", required: ["a"] });
    expect(await parse({ a: "5" })).toEqual({ ok: true, value: { a: 5 } });
    expect(await parse({})).toEqual({
      ok: false,
      issues: [{ path: "$.a", expected: "a is missing", came: "nothing", message: "a is missing" }],
    });
  });

  it("S1 one that gives none brings it along or is refused", async () => {
    expect(() => read(vendor())).toThrow(
      expect.objectContaining({
        code: "schema_unsupported",
        message: 'tool "t", inputSchema: the schema, made by "tiny", gives no JSON Schema',
      }) as Error,
    );
    const { json, parse } = read({ schema: vendor(), jsonSchema: { type: "object" } });
    expect(json).toEqual({ type: "object" });
    expect(await parse({ a: "5" })).toEqual({ ok: true, value: { a: 5 } });
  });

  it("S1 a schema that is a function is recognised", async () => {
    const schema = Object.assign(
      () => undefined,
      vendor({ jsonSchema: { input: () => ({ type: "object" }), output: () => ({}) } }),
    );
    expect(await read(schema).parse({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });
});
