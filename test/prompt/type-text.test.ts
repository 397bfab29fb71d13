import { describe, expect, it } from "vitest";
import { typeText } from "../../src/prompt/type-text.ts";
import type { JsonValue } from "../../src/json.ts";

const input = (schema: JsonValue) => typeText(schema, { io: "input" }).text;
const output = (schema: JsonValue) => typeText(schema, { io: "output" }).text;
const exact = (schema: JsonValue) => typeText(schema, { io: "input", exact: true }).text;
/** Names without their hashes, for reading. */
const named = (schema: JsonValue) => {
  const { text, types } = typeText(schema, { io: "input" });
  return [...types.map((type) => type.text), text].map((line) => line.replaceAll(/_[a-z0-9]{5}\b/g, "_"));
};
// An object literal with such a key reads as a promise.
const then = "then".toLowerCase();
const object = (properties: JsonValue, more = {}): JsonValue => ({ type: "object", properties, ...more });

describe("one line where it is short", () => {
  it.each<[string, JsonValue, string]>([
    ["anything", {}, "unknown"],
    ["true", true, "unknown"],
    ["false", false, "never"],
    ["a string", { type: "string" }, "string"],
    ["an integer", { type: "integer" }, "number"],
    ["null", { type: "null" }, "null"],
    ["a list of types, null last", { type: ["null", "string", "integer", "number"] }, "string | number | null"],
    ["nullable", { type: "string", nullable: true }, "string | null"],
    ["an array", { type: "array", items: { type: "string" } }, "string[]"],
    ["an array of anything", { type: "array" }, "unknown[]"],
    ["an array of a union", { type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
    ["an empty array", { type: "array", items: false }, "[]"],
    ["an enum", { enum: ["a", 1, -2.5, true, null, "b"] }, '"a" | 1 | -2.5 | true | "b" | null'],
    ["an enum of both booleans", { enum: [true, false] }, "boolean"],
    ["an enum within its type", { type: "string", enum: ["a", 1, null] }, '"a"'],
    ["an enum of whole numbers", { type: "integer", enum: [1, 1.5, 2] }, "1 | 2"],
    ["an enum of values", { enum: [{ a: [1, "x"] }, {}] }, '{ a: [1, "x"] } | Record<string, never>'],
    ["an empty enum", { enum: [] }, "never"],
    ["a const", { const: "x" }, '"x"'],
    ["a const of null", { const: null }, "null"],
    ["a const within its enum", { const: { a: 1, b: 2 }, enum: [{ b: 2, a: 1 }] }, "{ a: 1; b: 2 }"],
    ["a type that is none", { type: "dict", properties: { a: {} } }, "{ a?: unknown }"],
    ["a const outside its enum", { const: "x", enum: ["a"] }, "never"],
    ["any object", { type: "object" }, "Record<string, unknown>"],
    ["a closed object without properties", { type: "object", additionalProperties: false }, "Record<string, never>"],
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    ["properties", object({ a: { type: "string" }, b: {} }, { required: ["a"] }), "{ a: string; b?: unknown }"],
    ["required without a property", object({ a: {} }, { required: ["b"] }), "{ a?: unknown; b: unknown }"],
    ["a property that must be absent", object({ a: false }), "{ a?: never }"],
    [
      "properties and anything else",
      object({ a: { type: "string" } }, { additionalProperties: true }),
      "{ a?: string; [k: string]: unknown }",
    ],
    [
      "properties that the index signature must hold",
      object({ a: { type: "string" } }, { additionalProperties: { type: "number" } }),
      "{ a?: string; [k: string]: number | string | undefined }",
    ],
    [
      "patterns that are prefixes",
      {
        type: "object",
        patternProperties: { "^x-": { type: "string" }, "^y\\.": { type: "number" } },
        additionalProperties: false,
      },
      "{ [k: `x-${string}`]: string; [k: `y.${string}`]: number }",
    ],
    [
      "required without a property, beside patterns",
      {
        type: "object",
        required: ["s_a"],
        patternProperties: { "^s_": { type: "string" } },
        additionalProperties: { type: "number" },
      },
      "{ s_a: unknown; [k: string]: unknown }",
    ],
    [
      "prefixes beside other keys",
      { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: { type: "number" } },
      "{ [k: `x-${string}`]: string; [k: string]: number | string }",
    ],
    [
      "a prefix that a property has",
      object({ "x-a": { type: "string" } }, { required: ["x-a"], patternProperties: { "^x-": { type: "string" } } }),
      '{ "x-a": string; [k: string]: string }',
    ],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
      "[number, string]",
    ],
    [
      "a tuple of draft 7",
      { type: "array", items: [{ type: "number" }, { type: "string" }], additionalItems: false },
      "[number, string]",
    ],
    ["an open tuple", { type: "array", prefixItems: [{ type: "number" }] }, "[number, ...unknown[]]"],
    [
      "a tuple with a rest",
      { type: "array", items: [{ type: "number" }], additionalItems: { type: ["string", "null"] } },
      "[number, ...(string | null)[]]",
    ],
    [
      "a tuple that may be short",
      { type: "array", prefixItems: [{}, { type: ["string", "null"] }], items: false, minItems: 1 },
      "[unknown, (string | null)?]",
    ],
    ["a tuple that is full", { type: "array", prefixItems: [{}, {}], minItems: 2, maxItems: 2 }, "[unknown, unknown]"],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "number" }, { type: "string" }] }, "string | number"],
    ["oneOf with anything", { oneOf: [{ type: "string" }, {}] }, "unknown"],
    ["a literal beside its kind", { anyOf: [{ const: "a" }, { type: "string" }] }, "string"],
    [
      "allOf of objects",
      { allOf: [object({ a: { type: "string" } }), object({ b: { type: "number" } }, { required: ["b"] })] },
      "{ a?: string; b: number }",
    ],
    [
      "allOf on one property",
      { allOf: [object({ a: { enum: [1, 2] } }), object({ a: { enum: [2, 3] } }, { required: ["a"] })] },
      "{ a: 2 }",
    ],
    ["allOf that nothing fits", { allOf: [{ type: "string" }, { type: "number" }] }, "never"],
    ["allOf of arrays", { allOf: [{ type: "array" }, { type: "array", items: { type: "string" } }] }, "string[]"],
    [
      "one of two properties",
      object({ a: { type: "string" }, b: { type: "number" } }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      "{ a?: string; b?: number } & ({ a: unknown } | { b: unknown })",
    ],
    [
      "if, then, else",
      object({ a: {} }, { if: {}, [then]: { required: ["b"] }, else: { required: ["c"] } }),
      "{ a?: unknown } & ({ b: unknown } | { c: unknown })",
    ],
    ["if without else", object({ a: {} }, { if: {}, [then]: { required: ["b"] } }), "{ a?: unknown }"],
    ["not a value", { type: "string", not: { const: "a" } }, "string"],
    ["not a kind", { type: ["string", "null", "object"], not: { type: ["null", "object"] } }, "string"],
    ["not whole numbers, which are numbers", { type: "number", not: { type: "integer" } }, "number"],
    ["not anything", { type: "string", not: {} }, "never"],
    [
      "not with a property",
      object({ a: {}, b: {} }, { not: { required: ["a", "b"] } }),
      "{ a?: unknown; b?: unknown } & ({ a?: never } | { b?: never })",
    ],
    [
      "keys that are listed",
      object(
        { a: { type: "string" } },
        { propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "number" } },
      ),
      "{ a?: string; b?: number }",
    ],
    ["one key", { type: "object", propertyNames: { const: "a" }, required: ["a"] }, "{ a: unknown }"],
    ["no keys", { type: "object", propertyNames: false }, "Record<string, never>"],
    ["no property", object({}, { maxProperties: 0 }), "Record<string, never>"],
    [
      "a property that every object has",
      object({ toString: { type: "string" }, constructor: {} }),
      "{ toString?: unknown; constructor?: unknown }",
    ],
  ])("D1 %s", (_, schema, text) => {
    expect(input(schema)).toBe(text);
  });

  it("D1 a long object takes lines, a long union of literals does not", () => {
    const values = Array.from({ length: 30 }, (_, i) => `value-${i}`);
    const long = object(Object.fromEntries(values.slice(0, 6).map((name) => [name, { type: "boolean" }])));
    expect(input(long).split("\n")).toEqual(["{", ...[0, 1, 2, 3, 4, 5].map((i) => ` "value-${i}"?: boolean`), "}"]);
    expect(input({ enum: values })).toBe(values.map((value) => `"${value}"`).join(" | "));
  });
});

describe("the reading of schemas that leave `type` out", () => {
  it.each<[string, JsonValue, string, string]>([
    [
      "properties",
      { properties: { a: { type: "string" } } },
      "{ a?: string }",
      "string | number | boolean | { a?: string; [k: string]: unknown } | unknown[] | null",
    ],
    [
      "items",
      { items: { type: "string" } },
      "string[]",
      "string | number | boolean | Record<string, unknown> | string[] | null",
    ],
    ["minimum", { minimum: 1 }, "number", "string | number | boolean | Record<string, unknown> | unknown[] | null"],
    ["pattern", { pattern: "^a" }, "string", "string | number | boolean | Record<string, unknown> | unknown[] | null"],
    [
      "two kinds",
      { minimum: 1, pattern: "^a" },
      "unknown",
      "string | number | boolean | Record<string, unknown> | unknown[] | null",
    ],
    ["a tuple", { type: "array", prefixItems: [{ type: "number" }], items: false }, "[number]", "[number?]"],
  ])("D2 %s, as meant and to the letter", (_, schema, meant, letter) => {
    expect(input(schema)).toBe(meant);
    expect(exact(schema)).toBe(letter);
  });

  it("D2 a part without type is of the kinds of the whole", () => {
    expect(input({ type: ["string", "object"], anyOf: [{ required: ["a"] }, { required: ["b"] }] })).toBe(
      "string | { a: unknown } | { b: unknown }",
    );
  });
});

describe("references", () => {
  it("D1 a type used once, or short, is written where it is used (C8)", () => {
    const $defs = { "a/b": { enum: ["x", "y"] }, "c%": { type: "number" }, "t~": { type: "null" } };
    const properties = {
      slash: { $ref: "#/$defs/a~1b", description: "kept" },
      again: { $ref: "#/$defs/a~1b" },
      percent: { $ref: "#/$defs/c%25" },
      tilde: { $ref: "#/$defs/t~0" },
      pointer: { $ref: "#/properties/list/items" },
      list: { type: "array", items: { type: "boolean" } },
    };
    expect(named(object(properties, { $defs }))).toEqual([
      [
        "{",
        ' slash?: "x" | "y" // kept',
        ' again?: "x" | "y"',
        " percent?: number",
        " tilde?: null",
        " pointer?: boolean",
        " list?: boolean[]",
        "}",
      ].join("\n"),
    ]);
  });

  it("D1 anchors and embedded ids are found, siblings are kept", () => {
    const schema = object(
      { a: { $ref: "#here" }, b: { $ref: "item.json" }, c: { $ref: "#here", type: "string", enum: ["x"] } },
      {
        $defs: {
          x: { $anchor: "here", type: "string" },
          y: { $id: "item.json", $ref: "#/$defs/z", $defs: { z: { type: "number" } } },
        },
      },
    );
    expect(named(schema)).toEqual(['{ a?: string; b?: number; c?: "x" }']);
  });

  it("D3 a long type used twice is named once, with its comment", () => {
    const address = {
      type: "object",
      description: "Where one lives",
      properties: { street: { type: "string" }, city: { type: "string" }, zip: { type: "string" } },
    };
    const schema = object(
      { home: { $ref: "#/$defs/postal-address" }, work: { $ref: "#/$defs/postal-address", description: "By day" } },
      { $defs: { "postal-address": address } },
    );
    expect(named(schema)).toEqual([
      "/** Where one lives */\ntype PostalAddress_ = { street?: string; city?: string; zip?: string };",
      "{\n home?: PostalAddress_\n work?: PostalAddress_ // By day\n}",
    ]);
  });

  it("D1 recursion is a named type (C5, C7)", () => {
    const tree = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/definitions/tree_node" } } },
      required: ["name"],
    };
    expect(named({ $ref: "#/definitions/tree_node", definitions: { tree_node: tree } })).toEqual([
      "type TreeNode_ = { name: string; children?: TreeNode_[] };",
      "TreeNode_",
    ]);
    const either = { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/E" } }] };
    expect(named({ $ref: "#/$defs/E", $defs: { E: either } })).toEqual(["type E_ = string | E_[];", "E_"]);
    expect(named(object({ next: { $ref: "#" } }))).toEqual(["type Args_ = { next?: Args_ };", "Args_"]);
    expect(named({ type: "object", additionalProperties: { $ref: "#" } })).toEqual([
      "type Args_ = { [k: string]: Args_ };",
      "Args_",
    ]);
  });

  it("D1 mutual recursion names both, each by what it leads to", () => {
    const $defs = {
      even: object({ next: { $ref: "#/$defs/odd" } }),
      odd: object({ next: { $ref: "#/$defs/even" }, last: { type: "boolean" } }),
    };
    const { text, types } = typeText({ $ref: "#/$defs/even", $defs }, { io: "input" });
    const again = typeText(object({ x: { $ref: "#/$defs/odd" } }, { $defs }), { io: "input" });
    expect(types.map(({ name }) => name)).toEqual([text, again.types[0]?.name]);
    expect(again.types.map((type) => type.text).sort()).toEqual(types.map((type) => type.text).sort());
  });

  it("D1 a reference that is only itself says nothing", () => {
    expect(named({ $ref: "#" })).toEqual(["type Args_ = unknown;", "Args_"]);
    const loop = { a: { $ref: "#/$defs/b" }, b: { anyOf: [{ $ref: "#/$defs/a" }, { type: "string" }] } };
    expect(named({ $ref: "#/$defs/a", $defs: loop })).toEqual(["type A_ = unknown;", "A_"]);
  });

  it.each(["https://example.com/schema.json", "#/$defs/none", "#none", "other.json#/a"])(
    "D1 %s cannot be resolved: unknown, with a warning",
    (ref) => {
      const { text, warnings } = typeText(object({ a: { $ref: ref }, b: { type: "string" } }), { io: "input" });
      expect(text).toBe("{ a?: unknown; b?: string }");
      expect(warnings).toEqual([`cannot resolve $ref ${JSON.stringify(ref)} at #/properties/a, shown as unknown`]);
    },
  );

  it("D3 a name depends on the type alone", () => {
    const one = { type: "object", properties: { next: { $ref: "#/$defs/node" }, value: { type: "string" } } };
    const two = { ...one, required: ["value"] };
    const nameOf = (node: JsonValue, more = {}) =>
      typeText(object({ x: { $ref: "#/$defs/node" }, ...more }, { $defs: { node } }), { io: "input" }).types[0]?.name;
    expect(nameOf(one)).toMatch(/^Node_[a-z0-9]{5}$/);
    expect(nameOf(one, { other: { type: "number" } })).toBe(nameOf(one));
    expect(nameOf(two)).not.toBe(nameOf(one));
  });
});

describe("what is said beside the types", () => {
  it("D1 descriptions and what a type cannot say, once", () => {
    const properties = {
      page: { type: "integer", description: "Page number", default: 1, minimum: 1 },
      size: { type: "integer", description: "Page size (default: 30, max 100)", default: 30, minimum: 1, maximum: 100 },
      fast: { type: "boolean", description: "Defaults to false.", default: false },
      at: { type: "string", format: "date-time" },
      name: { type: "string", minLength: 1, maxLength: 50, pattern: "^[a-z]+$" },
      ratio: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
      tags: {
        type: "array",
        description: "Labels",
        items: { type: "string", description: "One label", maxLength: 9 },
        minItems: 1,
        uniqueItems: true,
      },
      urls: { type: "array", items: { type: "string", format: "uri" } },
      old: { type: "string", deprecated: true },
      page_size: { type: "integer", title: "Page Size" },
      q: { type: "string", title: "Search words" },
      big: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, format: "int64" },
    };
    expect(input(object(properties)).split("\n")).toEqual([
      "{",
      " page?: number // Page number (default 1, min 1)",
      " size?: number // Page size (default: 30, max 100) (1..100)",
      " fast?: boolean // Defaults to false.",
      " at?: string // date-time",
      " name?: string // pattern ^[a-z]+$, 1..50 chars",
      " ratio?: number // > 0, < 1, multiple of 0.1",
      " tags?: string[] // Labels. Each: One label (not empty, unique, max 9 chars)",
      " urls?: string[] // each uri",
      " old?: string // deprecated",
      " page_size?: number",
      " q?: string // Search words",
      " big?: number",
      "}",
    ]);
  });

  it("D1 what is said of the one member beside null is said of the property (C11)", () => {
    const properties = {
      limit: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: null },
      icon: { anyOf: [object({ url: { type: "string" } }, { description: "An icon" }), { type: "string" }] },
      mode: {
        oneOf: [
          { const: "a", description: "first" },
          { const: "b", description: "second" },
        ],
      },
    };
    expect(input(object(properties)).split("\n")).toEqual([
      "{",
      " limit?: number | null // default null, min 1",
      " icon?: { url?: string } | string // An icon",
      ' mode?: /* first */ "a" | /* second */ "b"',
      "}",
    ]);
  });

  it("D1 rules that the type does not hold, and examples, are noted; values that are very long are cut", () => {
    const long = "x".repeat(300);
    const properties = {
      card: object({ a: {}, b: {} }, { dependentRequired: { a: ["b"], c: ["a", "b"] } }),
      mode: { type: "string", not: { enum: ["a"] } },
      kind: { type: "string", not: { type: "null" } },
      list: { type: "array", contains: { const: 1 } },
      map: { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
      rule: object({ a: {} }, { if: { required: ["a"] }, [then]: { required: ["b"] } }),
      size: { type: "string", examples: ["30Gi", "50Gi"], description: "How large" },
      said: { type: "string", examples: ["30Gi"], description: "How large, such as 30Gi" },
      one: { type: "integer", example: 7 },
      big: { type: "string", examples: [long], default: long },
      both: { allOf: [{ type: "string", description: "A name" }, { maxLength: 9 }] },
    };
    expect(input(object(properties)).split("\n")).toEqual([
      "{",
      " card?: { a?: unknown; b?: unknown } // a needs b, c needs a, b",
      ' mode?: string // not {"enum":["a"]}',
      " kind?: string",
      ' list?: unknown[] // contains {"const":1}',
      ' map?: Record<string, unknown> // keys {"pattern":"^[a-z]+$"}',
      ' rule?: { a?: unknown } // if {"required":["a"]}: {"required":["b"]}',
      ' size?: string // How large (e.g. "30Gi", "50Gi")',
      " said?: string // How large, such as 30Gi",
      " one?: number // e.g. 7",
      ` big?: string // default "${"x".repeat(199)}…`,
      " both?: string // A name (max 9 chars)",
      "}",
    ]);
  });

  it("D1 notes of a type that is referred to stay where it has another description", () => {
    const $defs = { port: { type: "integer", minimum: 1, maximum: 65_535, description: "A port" } };
    const properties = { a: { $ref: "#/$defs/port" }, b: { $ref: "#/$defs/port", description: "Where it listens" } };
    expect(input(object(properties, { $defs })).split("\n")).toEqual([
      "{",
      " a?: number // A port (1..65535)",
      " b?: number // Where it listens (1..65535)",
      "}",
    ]);
  });

  it("D1 what the members of a union say of one type is said as a choice", () => {
    const ip = (...formats: string[]) => ({ anyOf: formats.map((format) => ({ type: "string", format })) });
    const properties = {
      ip: ip("ipv4", "ipv6", "ipv4"),
      host: { type: "string", anyOf: [{ format: "hostname" }, { format: "ipv4" }] },
      any: { anyOf: [{ type: "string", minLength: 1 }, { type: "string" }] },
      code: {
        oneOf: [
          { type: "integer", minimum: 400, maximum: 499, description: "The caller's fault" },
          { type: "integer", minimum: 500, description: "The server's" },
        ],
      },
    };
    expect(input(object(properties)).split("\n")).toEqual([
      "{",
      " ip?: string // ipv4 or ipv6",
      " host?: string // hostname or ipv4",
      " any?: string",
      " /** The caller's fault",
      " The server's (400..499 or min 500) */",
      " code?: number",
      "}",
    ]);
  });

  it("D1 a comment of several lines, or on a type of several lines, stands before the property", () => {
    const properties = {
      a: { type: "string", description: "one\ntwo" },
      b: object({ c: { type: "string", description: "inner" } }, { description: "outer" }),
    };
    expect(input(object(properties)).split("\n")).toEqual([
      "{",
      " /** one",
      " two */",
      " a?: string",
      " /** outer */",
      " b?: {",
      "  c?: string // inner",
      " }",
      "}",
    ]);
  });

  it("D6 what a result does not say is Unknown, what an argument does not say is unknown", () => {
    const schema = object({ a: {} }, { additionalProperties: true });
    expect(output(schema)).toBe("{ a?: Unknown; [k: string]: Unknown }");
    expect(input(schema)).toBe("{ a?: unknown; [k: string]: unknown }");
  });
});

describe("bounds", () => {
  it("D3 references that double at each step give text that grows with the schema", () => {
    const $defs: Record<string, JsonValue> = {};
    for (let i = 0; i < 200; i++)
      $defs[`d${i}`] = object({ left: { $ref: `#/$defs/d${i + 1}` }, right: { $ref: `#/$defs/d${i + 1}` } });
    const schema = object({ root: { $ref: "#/$defs/d0" } }, { $defs: { ...$defs, d200: { type: "string" } } });
    const { text, types } = typeText(schema, { io: "input" });
    const length = text.length + types.reduce((sum, type) => sum + type.text.length, 0);
    expect(length).toBeLessThan(JSON.stringify(schema).length);
  });

  it("D3 nesting beyond the bound is unknown, with a warning", () => {
    let schema: JsonValue = { type: "string" };
    for (let i = 0; i < 500; i++) schema = { type: "array", items: schema };
    const { text, warnings } = typeText(schema, { io: "input" });
    expect(text).toBe(`unknown${"[]".repeat(33)}`);
    expect(warnings).toEqual([`a schema nested too deep at #${"/items".repeat(33)}, shown as unknown`]);
  });

  it("D3 a chain of references is cut into named types", () => {
    const $defs: Record<string, JsonValue> = { d900: { type: "string" } };
    for (let i = 0; i < 900; i++) $defs[`d${i}`] = object({ next: { $ref: `#/$defs/d${i + 1}` } });
    const { types, warnings } = typeText({ $ref: "#/$defs/d0", $defs }, { io: "input" });
    expect(warnings).toEqual([]);
    expect(types.length).toBeGreaterThan(60);
    expect(types.length).toBeLessThan(80);
  });

  it("D3 intersected unions that the compiler would multiply out are left out, the largest first", () => {
    const tagged = (count: number, letter: string) => ({
      oneOf: Array.from({ length: count }, (_, i) =>
        object({ [`${letter}${i}`]: { type: "string" } }, { required: [`${letter}${i}`] }),
      ),
    });
    const text = input({ allOf: [tagged(40, "a"), tagged(20, "b"), tagged(30, "c")] });
    expect(text).toContain("b19: string");
    expect(text).toContain("c29: string");
    expect(text).not.toContain("a0: string");
    const alone: JsonValue = { type: "object", oneOf: tagged(2_000, "a").oneOf };
    expect(input(alone)).toContain("a1999: string");
  });
});
