import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declare } from "../../src/prompt/declarations.ts";
import { declareTool } from "../../src/prompt/declare-tool.ts";
import { typeText } from "../../src/prompt/type-text.ts";
import { compileErrors } from "./compile.ts";
import { literal } from "./values.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

/** A schema and a value that it admits. */
interface Sample {
  readonly schema: JsonValue;
  readonly value: JsonValue;
}

const names: fc.Arbitrary<string> = fc.constantFrom(
  "a",
  "b",
  "c",
  "content-type",
  "x-1",
  "x-2",
  "toString",
  "constructor",
  "type",
  "$ref",
  "",
);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const withDoc = (sample: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .tuple(sample, fc.option(fc.string({ maxLength: 8 })))
    .map(([{ schema, value }, description]) =>
      description === null || typeof schema !== "object"
        ? { schema, value }
        : { schema: { ...(schema as JsonObject), description }, value },
    );

/** Schemas built together with a value, so that the value is valid by construction. */
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: withDoc(
    fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.string({ maxLength: 4 }).map((value) => ({ schema: { type: "string" }, value })),
      fc.integer().map((value) => ({ schema: { type: ["integer", "null"], minimum: value }, value })),
      fc.constant({ schema: { type: "string", nullable: true }, value: null }),
      scalar.map((value) => ({ schema: { const: value }, value })),
      fc
        .array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 4 })
        .map((list) => ({ schema: { enum: list as JsonValue[] }, value: (list as JsonValue[])[0] ?? null })),
      fc.jsonValue({ maxDepth: 2 }).map((value) => ({ schema: {}, value: value as JsonValue })),
      fc.tuple(tie("sample"), fc.nat(3)).map(([item, n]) => ({
        schema: { type: "array", items: item.schema },
        value: Array.from({ length: n }, () => item.value),
      })),
      fc.tuple(fc.array(tie("sample"), { minLength: 1, maxLength: 3 }), fc.boolean()).map(([items, old]) => ({
        schema: old
          ? { type: "array", items: items.map((item) => item.schema), additionalItems: false }
          : { type: "array", prefixItems: items.map((item) => item.schema) },
        value: items.map((item) => item.value),
      })),
      fc
        .tuple(
          fc.dictionary(names, tie("sample"), { maxKeys: 4, noNullPrototype: true }),
          fc.array(names),
          fc.constantFrom(undefined, true, false),
        )
        .map(([properties, present, more]) => {
          const schemas = Object.fromEntries(Object.entries(properties).map(([name, item]) => [name, item.schema]));
          const required = Object.keys(properties).filter((name) => present.includes(name));
          const value = Object.fromEntries(required.map((name) => [name, properties[name]?.value ?? null]));
          return {
            schema: {
              type: "object",
              properties: schemas,
              required,
              ...(more === undefined ? {} : { additionalProperties: more }),
            },
            value,
          };
        }),
      fc.tuple(tie("sample"), tie("sample"), tie("sample")).map(([a, rest, prefixed]) => ({
        schema: {
          type: "object",
          properties: { a: a.schema, b: { type: "boolean" } },
          patternProperties: { "^x-": prefixed.schema },
          additionalProperties: rest.schema,
        },
        value: { a: a.value, other: rest.value, "x-1": prefixed.value },
      })),
      fc
        .tuple(fc.array(tie("sample"), { minLength: 1, maxLength: 3 }), fc.constantFrom("anyOf", "allOf", "then"))
        .map(([list, keyword]) => {
          const [first] = list;
          const schemas = list.map((item) => item.schema);
          if (keyword === "anyOf") return { schema: { anyOf: schemas }, value: first?.value ?? null };
          if (keyword === "allOf")
            return { schema: { allOf: [schemas[0] ?? {}, {}, { anyOf: schemas }] }, value: first?.value ?? null };
          return {
            schema: { if: {}, [keyword]: schemas[0] ?? {}, else: schemas.at(-1) ?? {} },
            value: first?.value ?? null,
          };
        }),
    ),
  ),
}));

/** The same schema reached by references, twice, and once more through a list of itself. */
const referred = sample.map(({ schema, value }): Sample => ({
  schema: {
    type: "object",
    properties: {
      one: { $ref: "#/$defs/it" },
      two: { $ref: "#/$defs/it" },
      more: { type: "array", items: { $ref: "#" } },
    },
    $defs: { it: schema },
  },
  value: { one: value, two: value, more: [{ one: value, more: [] }] },
}));

function assignment({ schema, value }: Sample, exact: boolean): string {
  const { text, types } = typeText(schema, { io: "output", exact });
  return `{ ${types.map((type) => type.text).join("\n")}\nconst value: ${text} = ${literal(value)}; }`;
}

describe("any schema", () => {
  it("D2 a value that the schema admits is of the type", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(sample, referred), { minLength: 250, maxLength: 250 }), (samples) => {
        const files: Record<string, string> = {};
        samples.forEach((one, i) => {
          files[`${i}.ts`] = `type Unknown = any;\n${assignment(one, true)}\n${assignment(one, false)}`;
        });
        expect(compileErrors(files).map((line) => `${line}\n${files[line.split("(")[0] ?? ""] ?? ""}`)).toEqual([]);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  const keyword = fc.constantFrom(
    ..."type properties required items prefixItems additionalProperties patternProperties additionalItems enum const anyOf oneOf allOf not if then else $ref $defs definitions $id $anchor $dynamicRef nullable default description title format pattern minimum maxItems deprecated".split(
      " ",
    ),
  );
  const { wild } = fc.letrec<{ wild: JsonValue }>((tie) => ({
    wild: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<JsonValue>(
        "string",
        "object",
        "array",
        "#",
        "#/$defs/a",
        "#/properties/b",
        true,
        false,
        7,
        null,
        ["string", "null"],
      ),
      fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }).map((value) => value as JsonValue),
      fc.dictionary(fc.oneof(keyword, names), tie("wild"), { maxKeys: 6, noNullPrototype: true }),
      fc.array(tie("wild"), { maxLength: 3 }),
      fc
        .dictionary(names, tie("wild"), { noNullPrototype: true })
        .map((properties) => ({ type: "object", properties })),
      fc.dictionary(names, tie("wild"), { noNullPrototype: true }).map(($defs) => ({
        $defs: { ...$defs, a: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#" }] } },
        $ref: "#/$defs/a",
      })),
    ),
  }));
  const text = fc.string({ unit: "binary", maxLength: 12 });

  it("D3 whatever schemas, names and descriptions hold, the text compiles, and the same input gives the same bytes", () => {
    const tool = fc
      .record({ description: text, input: wild, output: wild })
      .map((one) => one as { description: string; input: JsonObject; output: JsonObject });
    fc.assert(
      fc.property(
        fc.array(tool, { minLength: 200, maxLength: 200 }),
        fc.uniqueArray(text, { minLength: 200, maxLength: 200 }),
        (tools, titles) => {
          const named = tools.map((one, i) => ({ ...one, name: titles[i] ?? "" }));
          const first = declare(named).text;
          expect(declare(structuredClone(named)).text).toBe(first);
          expect(compileErrors({ "a.ts": first })).toEqual([]);
        },
      ),
      { numRuns: 3, endOnFailure: true },
    );
  });

  const named = fc
    .record({ description: text, input: wild, output: wild })
    .map((one) => one as { description: string; input: JsonObject; output: JsonObject });

  it("D3 a tool that goes changes no other tool's text", () => {
    fc.assert(
      fc.property(fc.array(named, { minLength: 2, maxLength: 6 }), fc.nat(), (list, at) => {
        const tools = list.map((one, i) => ({ ...one, name: `tool_${i}` }));
        const gone = tools[at % tools.length]?.name;
        const rest = tools.filter((tool) => tool.name !== gone);
        const after = declare(rest).text;
        for (const tool of rest) {
          const { text: own } = declareTool(tool);
          expect(after).toContain(`\n${own}\n`);
          expect(declare(tools).text).toContain(`\n${own}\n`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("D3 the text grows no faster than the schema", () => {
    const lengthOf = (schema: JsonValue): number => {
      const { text: own, types } = typeText(schema, { io: "input" });
      return types.reduce((sum, type) => sum + type.text.length, own.length);
    };
    fc.assert(
      fc.property(
        fc.oneof(
          wild,
          sample.map(({ schema }) => schema),
          referred.map(({ schema }) => schema),
        ),
        (schema) => {
          expect(lengthOf(schema)).toBeLessThan(60 + 6 * JSON.stringify(schema).length);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
