import { beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json.ts";
import { bounds } from "../../src/limits.ts";
import { describeIssues, readSchema } from "../../src/registry/schema.ts";

const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (index: number) => unknown, name = "p") =>
  Object.fromEntries(each(count, (index) => [`${name}${index}`, make(index)])) as { readonly [key: string]: JsonValue };

/** What a schema says of the property `a`, and whether it said so at once. */
async function judge(a: object, value: JsonValue, defs: object = {}) {
  const warnings: string[] = [];
  const use = {
    what: 'tool "t", inputSchema',
    io: "input" as const,
    warn: (message: string) => void warnings.push(message),
  };
  const { parse } = readSchema({ properties: { a }, ...defs }, use);
  const parsing = parse({ a: value });
  const parsed = await parsing;
  const told = parsed.ok ? undefined : describeIssues(parsed.issues);
  return { told, isAtOnce: !(parsing instanceof Promise), warnings };
}

/** Each test has a turn of the event loop to itself, so that what is done at once does not depend on the others. */
beforeEach(() => new Promise<void>((resolve) => setImmediate(resolve)));

const tooMany = "$: expected a value that takes fewer steps to be checked, came an object with a";
const tree = { n: { properties: { l: { $ref: "#/$defs/n" }, r: { $ref: "#/$defs/n" } } } };

function nest(depth: number, make: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = {};
  for (let at = 0; at < depth; at++) value = make(value);
  return value;
}

describe("hostile schemas", () => {
  it.each<[string, object, JsonValue, string | undefined]>([
    ["a small schema and value", { type: "string" }, 1, "$.a: expected string, came 1"],
    [
      "a catastrophic pattern",
      { pattern: "^([a-z]+)+$" },
      `${"a".repeat(28)}!`,
      `$.a: expected text that matches ^([a-z]+)+$, came "${"a".repeat(28)}!"`,
    ],
    ["recursion", { $ref: "#/$defs/n" }, nest(40, (l) => ({ l })), undefined],
    [
      "own names of prototypes",
      { required: ["__proto__"], properties: { constructor: { type: "string" } } },
      JSON.parse('{"__proto__":{"x":1}}') as JsonValue,
      undefined,
    ],
  ])("C2 %s: checked at once", async (_what, a, value, told) => {
    expect(await judge(a, value, { $defs: tree })).toEqual({ told, isAtOnce: true, warnings: [] });
  });

  it.each<[string, object, JsonValue, string | undefined]>([
    [
      "unique items over 50 KB",
      { uniqueItems: true },
      each(60_000, (at) => at % 59_999),
      "$.a: expected items that all differ, came an array of 60000",
    ],
    ["items that all differ", { uniqueItems: true }, each(60_000, (at) => ({ at })), undefined],
    [
      "contains within contains",
      { contains: { contains: { contains: { const: 1 } } } },
      each(40, () => each(60, () => each(60, () => 0))),
      "$.a: expected an item that is a value, came an array of 40",
    ],
    [
      "unevaluated within unevaluated",
      nest(12, (inner) => ({
        anyOf: [inner, { patternProperties: { "^q": {} } }],
        unevaluatedProperties: { type: "string" },
      })) as object,
      named(20_000, String),
      undefined,
    ],
    ["alternatives that double at each level", { $ref: "#/$defs/bomb" }, nest(30, (x) => ({ x })), tooMany],
    [
      "alternatives for each of many items",
      { items: { oneOf: each(20, (v) => ({ properties: { v: { const: v } }, required: ["v"] })) } },
      each(20_000, () => ({ v: 19 })),
      undefined,
    ],
    [
      "comparing with objects again and again",
      { not: { anyOf: each(30, (v) => ({ const: { v } })) } },
      named(20_000, Number),
      undefined,
    ],
    [
      "counting properties again and again",
      { allOf: each(30, (at) => ({ maxProperties: 50_000 + at })) },
      named(20_000, Number),
      undefined,
    ],
    [
      "patterns on many names",
      { patternProperties: { "^(a+)+x": false, "^p\\d+$": { type: "number" } } },
      named(20_000, Number),
      undefined,
    ],
  ])("C2 %s: checked away from the host's thread", async (_what, a, value, told) => {
    const bomb = { oneOf: each(2, () => ({ properties: { x: { $ref: "#/$defs/bomb" } } })) };
    expect(await judge(a, value, { $defs: { bomb, ...tree } })).toEqual({ told, isAtOnce: false, warnings: [] });
  });

  it.each<[string, object, JsonValue, JsonValue]>([
    ["many properties", { properties: named(300, () => ({ type: "string" })) }, { p1: "1" }, { p1: 1 }],
    ["many alternatives", { anyOf: each(150, (at) => ({ required: [`p${at}`] })) }, { p1: 1 }, {}],
    ["many states", { allOf: each(10, (at) => ({ pattern: `^[a-z]{${at + 10},${at + 50}}$` })) }, "x".repeat(45), "x"],
    ["many literals", { enum: each(800, (at) => `value ${at}`) }, "value 799", "value 800"],
  ])("C2 a schema of %s is compiled away from the host's thread", async (_what, a, right, wrong) => {
    expect(await judge(a, right)).toEqual({ told: undefined, isAtOnce: false, warnings: [] });
    expect(await judge(a, wrong)).toMatchObject({ told: expect.stringMatching(/^\$\.a/) as string, isAtOnce: false });
  });

  it("C2 a text over the bound is checked away from the host's thread, even where the check is small", async () => {
    const use = { what: "t", io: "output" as const, warn: () => undefined };
    const { parseText } = readSchema({ items: { type: "string" } }, use);
    const text = (last: unknown) => JSON.stringify([...each(50_000, (at) => `text ${at}`), last]);
    expect(text("").length).toBeGreaterThan(bounds.charsInPlace);
    expect(parseText('["a"]')).toEqual({ ok: true, value: ["a"] });
    expect(parseText("[1]")).toEqual({ ok: false, issues: [{ path: "$[0]", expected: "string", came: "1" }] });
    const [right, wrong] = [parseText(text("")), parseText(text(5))];
    expect([right, wrong].map((parsing) => parsing instanceof Promise)).toEqual([true, true]);
    expect(await right).toEqual({ ok: true, value: undefined });
    expect(await wrong).toEqual({ ok: false, issues: [{ path: "$[50000]", expected: "string", came: "5" }] });
  });

  it("C2 what many checks take in one turn of the event loop is bounded together", async () => {
    const use = { what: "t", io: "input" as const, warn: () => undefined };
    const { parse } = readSchema({ properties: { a: { items: { type: "number" } } } }, use);
    const value = { a: each(5_000, Number) };
    await parse(value);
    await new Promise((resolve) => setImmediate(resolve));
    const parsing = each(100, () => parse(value));
    const away = parsing.filter((one) => one instanceof Promise);
    expect(parsing[0]).not.toBeInstanceOf(Promise);
    expect(away.length).toBeGreaterThan(50);
    expect(await Promise.all(parsing.map(async (one) => one))).toEqual(each(100, () => ({ ok: true, value })));
  });

  it("C2 the mistakes of a value with many names are told without counting them anew each time", async () => {
    const { told } = await judge({ allOf: each(60, () => ({ type: "string" })) }, named(30_000, Number));
    expect(told).toBe("$.a: expected string, came an object with p0, p1, p2, p3, p4 and 29995 more");
  });
});
