import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bounds } from "../../src/limits.ts";
import { describeIssues, type Parsed, readSchema } from "../../src/registry/schema.ts";
import { runWithin } from "../../src/registry/bounded-run.ts";

const read = (schema: unknown) => {
  const warnings: string[] = [];
  const made = readSchema(schema, { what: "s", io: "input", warn: (message) => void warnings.push(message) });
  return { ...made, warnings };
};
const told = (parsed: Parsed): unknown => (parsed.ok ? parsed.value : describeIssues(parsed.issues));
/** The host\'s engine takes longer than any test on it. */
const endless = `${"a".repeat(60)}!`;

describe("a pattern of a Standard Schema", () => {
  it("C2 that a text can hold up does not hold up the host: the linear engine refuses the text", async () => {
    const { parse, warnings } = read(z.object({ name: z.string().regex(/^(a+)+$/) }));
    expect(told(await parse({ name: endless }))).toMatch(/^\$\.name: expected .*\^\(a\+\)\+\$/);
    expect(told(await parse({ name: "aaaa" }))).toEqual({ name: "aaaa" });
    expect(warnings).toEqual([]);
  });

  it("C2 that the linear engine cannot follow is given up after a while", async () => {
    const { parse, warnings } = read(z.object({ name: z.string().regex(/^(?=a)(a+)+$/) }));
    expect(told(await parse({ name: endless }))).toBe(
      `$: expected what can be checked within ${bounds.standardMs} ms, came what takes longer`,
    );
    expect(told(await parse({ name: "aaaa" }))).toEqual({ name: "aaaa" });
    expect(told(await parse({ name: "b" }))).toBe(
      '$.name: Invalid string: must match pattern /^(?=a)(a+)+$/, came "b"',
    );
    expect(warnings).toEqual([]);
  });

  it("C2 has the last word all the same: what the library makes fit, or is lenient about, is let through", async () => {
    const schema = z.object({
      code: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z]{1,3}$/),
      count: z.coerce.number(),
    });
    const { parse, parseText } = read(schema);
    expect(told(await parse({ code: "  ABC ", count: "7" }))).toEqual({ code: "abc", count: 7 });
    expect(told(await parseText('{"code":" x","count":1}'))).toEqual({ code: "x", count: 1 });
    expect(told(await parse({ code: "  ABCD ", count: 1 }))).toBe(
      '$.code: Invalid string: must match pattern /^[a-z]{1,3}$/, came "  ABCD "',
    );
  });

  it("C2 says no less where it is the library that finds the mistake", async () => {
    const refine = z
      .object({ from: z.iso.date(), to: z.iso.date() })
      .refine(({ from, to }) => from <= to, "from after to");
    const { parse } = read(refine);
    expect(told(await parse({ from: "2026-01-02", to: "2026-01-01" }))).toContain("from after to");
    expect(told(await parse({ from: "2026-01-01", to: "2026-01-02" }))).toEqual({
      from: "2026-01-01",
      to: "2026-01-02",
    });
  });

  it("C2 may belong to an asynchronous schema, whose throw is its own", async () => {
    const schema = z.object({ id: z.string().regex(/^x/) }).refine(async ({ id }) => id !== "xx", "taken");
    const { parse } = read(schema);
    expect(told(await parse({ id: "xx" }))).toContain("taken");
    expect(told(await parse({ id: "xy" }))).toEqual({ id: "xy" });
    const throwing: StandardSchemaV1 = {
      "~standard": {
        version: 1,
        vendor: "odd",
        validate: () => {
          throw new RangeError("broken");
        },
      },
    };
    const jsonSchema = { type: "object", properties: { a: { type: "string", pattern: "^a" } } };
    const odd = read({ schema: throwing, jsonSchema });
    expect(() => odd.parse({ a: "a" })).toThrow("broken");
    expect(() => odd.parse({ a: "b" })).toThrow("broken");
  });

  it("C2 whose JSON Schema says something else than the library refuses nothing", async () => {
    const lenient: StandardSchemaV1 = {
      "~standard": { version: 1, vendor: "odd", validate: (value) => ({ value }) },
    };
    const { parse } = read({ schema: lenient, jsonSchema: { type: "object", required: ["a"], pattern: "x" } });
    expect(told(await parse({ b: 1 }))).toEqual({ b: 1 });
  });
});

it("C2 what is run within a time gives its value or its throw, runs in itself, and is stopped inside a pattern", () => {
  expect(runWithin(1_000, () => runWithin(1_000, () => 5))).toEqual({ value: { value: 5 } });
  expect(() =>
    runWithin(1_000, () => {
      throw new RangeError("its own");
    }),
  ).toThrow(RangeError);
  expect(runWithin(20, () => /^(a+)+$/.test(endless))).toBeUndefined();
  expect(runWithin(1_000, () => 6)).toEqual({ value: 6 });
});
