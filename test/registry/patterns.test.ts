import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bounds } from "../../src/limits.ts";
import { compilePattern } from "../../src/registry/patterns.ts";
import { readSchema } from "../../src/registry/schema.ts";
import { describeShared, readCatalogs, sharedPath } from "../shared.ts";

const compile = (pattern: string) => compilePattern(pattern, bounds.patternStates);

/** As the language has it: with the `u` flag, and without where that refuses the pattern. */
function native(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

const signs =
  "a b c e A é α ٣ 0 9 _ - . ^ $ / \\ ] [ { } # & : ab abab ababab abc bc aa aaa foo {a} a{,3} l] a& 😀 😀😀 ǅ".split(
    " ",
  );
const codes = [
  0, 3, 8, 9, 10, 11, 12, 13, 28, 32, 127, 133, 160, 0x1680, 0x180e, 0x2000, 0x200b, 0x2028, 0x202f, 0x3000,
];
const texts = [
  "",
  ...signs,
  ...[...codes, 0xfeff, 0xd83d, 0xde00, 0x378, 0xe000].map((code) => String.fromCharCode(code)),
  "a\n",
  "\na",
  "a foo b",
  "foob",
  ...[999, 1000, 1001, 2000, 2001].map((length) => "a".repeat(length)),
];

/** A schema's check of the property `a`, and what it warned of. */
async function check(a: object, values: readonly string[]) {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const { parse } = readSchema({ properties: { a } }, { what: 'tool "t", inputSchema', io: "input", warn });
  const passed: string[] = [];
  for (const value of values) if ((await parse({ a: value })).ok) passed.push(value);
  return { passed, warnings };
}

describe("patterns on the linear engine", () => {
  it.each([
    ..."^a$ a$ ^.$ ^\\s$ ^\\S$ ^[\\s]$ ^[\\S]$ ^[^\\s]$ ^[^\\S]$ ^\\w$ ^\\W$ ^[\\W]$ ^\\d$ ^\\D$ [^] [] ^[^]$ ^[\\b]$ \\bfoo\\b \\B".split(
      " ",
    ),
    ..."^\\cC$ ^\\0$ ^\\x41$ ^\\u0061$ ^\\u{1F600}$ ^\\uD83D\\uDE00$ ^\\uD83D$ ^[\\uD83D\\uDE00-\\u{1F64F}]$ ^\\/$ ^[/\\-\\]]$".split(
      " ",
    ),
    ..."[[:alpha:]] [a&&b] ^[\\w-]+$ ^[\\w\\-.]+$ (?<n>a)b (a|b|)c ^(?:ab){2,3}$ a{0}b ^a{2,}$ ^a{1000,}$ ^a{1001,}$ ^x*?$".split(
      " ",
    ),
    ..."^\\p{L}$ ^\\P{L}$ ^\\p{Lu}$ ^\\p{Letter}$ ^\\p{gc=Nd}$ ^\\p{digit}$ ^\\p{Script=Greek}$ ^[\\p{L}\\d]$ ^[^\\p{L}]$".split(
      " ",
    ),
    ..."^[\\P{L}]$ ^\\p{ASCII}$ ^\\P{ASCII}$ ^[\\P{ASCII}a]$ ^\\p{Any}$ ^\\p{Alphabetic}$ ^\\p{Emoji}$ ^\\p{Cs}$ ^\\p{LC}$".split(
      " ",
    ),
    ..."^[a-c-e]$ ^[-a]$ ^[a-]$ ^[\\^a]$ ^[a^]$ \\. \\$ ^\\-$ ^\\_$ ^[\\w-.]$ a{,3} ^{a}$ ] } ^[\\\\]$ \\\\ ^a|b$ ^(a|b)$ \\t ^#$".split(
      " ",
    ),
    ..."^\\u2028$ ^[^a]$ ^[^\\n]$ ^[\\x00-\\x1f]$ a{1001} ^.{1,2000}$ ^^a$$ 😀 [😀-😃] ^[^😀]$".split(" "),
    " ",
    "",
  ])("C2 S1 /%s/ finds what the language's own engine finds", async (pattern) => {
    const [own, other] = [compile(pattern), native(pattern)];
    expect(texts.filter((text) => own.test(text))).toEqual(texts.filter((text) => other.test(text)));
  });

  it("C2 any mix of pieces finds what the language's own engine finds", async () => {
    const piece = fc.constantFrom(
      ..."a b . ^ $ | \\d \\w \\s \\b [a-c] [^b] [\\s\\d-] (?:ab) (a|b) \\x61 \\u{62} 😀 \\p{L}".split(" "),
    );
    const times = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "+?");
    const pattern = fc
      .array(fc.tuple(piece, times), { maxLength: 6 })
      .map((pieces) => pieces.map(([one, many]) => one + (/^(\^|\$|\||\\b)$/.test(one) ? "" : many)).join(""));
    const text = fc.array(fc.constantFrom("a", "b", "c", "1", " ", "\n", "-", "😀", "é", "\u2028"), { maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (made, parts) => {
        expect(compile(made).test(parts.join(""))).toBe(native(made).test(parts.join("")));
      }),
      { numRuns: 500 },
    );
  });

  it("C2 patterns that backtracking takes exponential time for are answered for long texts", async () => {
    const long = "a".repeat(50_000);
    expect(await check({ pattern: "^(a+)+$" }, [long, `${long}b`])).toEqual({ passed: [long], warnings: [] });
    expect((await check({ pattern: "^([a-zA-Z0-9]+)+@x$" }, [`${long}@x`, long, `${long}@y`])).passed).toEqual([
      `${long}@x`,
    ]);
    const pattern = compile("^([a-z]*)*([a-z]*)*#$");
    expect([pattern.test(`${long}#`), pattern.test(long)]).toEqual([true, false]);
  });

  it.each([
    ["^(?!x)", "it looks around, which takes more than linear time"],
    ["a(?=b)", "it looks around, which takes more than linear time"],
    ["(?<=a)b", "it looks around, which takes more than linear time"],
    ["(?<!a)b", "it looks around, which takes more than linear time"],
    ["(a)\\1", "it refers back to a group, which takes more than linear time"],
    ["(?<n>a)\\k<n>", "it refers back to a group, which takes more than linear time"],
    ["(?i:a)", "it sets flags inside a group"],
    ["^\\Aa", "its escape \\A means nothing in ECMA-262"],
    ["(", "Invalid regular expression: /(/: Unterminated group"],
    ["^\\p{scx=Grek}$", "the property scx is not known"],
    ["[ab]{6000}", "it takes 12001 states, over the 4960 that are left"],
    ["((((a{100}){100}){100}){100}){100}", "it takes 20202020201 states, over the 4960 that are left"],
  ])("C2 the pattern %s is left unchecked, with a warning of tool, place and reason", async (pattern, reason) => {
    expect(await check({ pattern }, ["x", "b"])).toEqual({
      passed: ["x", "b"],
      warnings: [
        `tool "t", inputSchema: the pattern ${JSON.stringify(pattern)} at #/properties/a/pattern is left unchecked: ${reason}`,
      ],
    });
  });

  it("C2 repeats and groups in each other neither write out nor nest without end", async () => {
    const nested = (repeat: string, depth: number) => "(".repeat(depth) + "a" + `)${repeat}`.repeat(depth);
    expect(() => compile(nested("{2}", 150))).toThrow(/^it takes \d+(\.\d+)?e\+\d+ states|^it takes \d+ states/);
    expect(() => compile(nested("{1001,}", 150))).toThrow(/states, over the 5000 that are left$/);
    expect(() => compile(nested("", 201))).toThrow("its groups nest more than 200 deep");
    expect(compile(nested("", 200)).test("a")).toBe(true);
  });

  it("C2 a warning comes once for each pattern, and not for more than ten", async () => {
    const schemas = Array.from({ length: 15 }, (_, index) => ({ pattern: `^(?!${index})` }));
    const { warnings } = await check({ allOf: [...schemas, ...schemas, { type: "number" }] }, ["x", "y"]);
    expect(warnings).toHaveLength(11);
    expect(warnings[10]).toBe('tool "t", inputSchema: more of its patterns are left unchecked');
  });

  it("C2 several patterns in one schema are told apart", async () => {
    expect((await check({ allOf: [{ pattern: "a" }, { pattern: "b" }] }, ["a", "b", "ab"])).passed).toEqual(["ab"]);
    const { warnings, passed } = await check({ allOf: [{ pattern: "(?=z)" }, { pattern: "b" }] }, ["a", "b"]);
    expect([passed, warnings.length]).toEqual([["b"], 1]);
  });

  it("C2 properties under a pattern that is left unchecked are known and hold anything", async () => {
    const read = (more: object) => {
      const schema = { patternProperties: { "^(?!x)": { type: "number" }, "^n": { type: "number" } }, ...more };
      return readSchema(schema, { what: "t", io: "input", warn: () => undefined }).parse;
    };
    for (const more of [{ additionalProperties: false }, { unevaluatedProperties: false }]) {
      expect(read(more)({ a: "text" })).toEqual({ ok: true, value: { a: "text" } });
      expect(read(more)({ n: "text" })).toMatchObject({ ok: false });
    }
  });

  it.each(["not", "if", "oneOf"])(
    "C2 below %s a pattern that cannot be checked leaves the schema unchecked",
    async (keyword) => {
      const pattern = { pattern: "^(?!x)" };
      const schema =
        keyword === "oneOf" ? { oneOf: [pattern, { type: "string" }] } : { [keyword]: pattern, then: false };
      const { passed, warnings } = await check(schema, ["x", "y"]);
      expect(passed).toEqual(["x", "y"]);
      expect(warnings).toEqual([
        `tool "t", inputSchema cannot be used: the pattern "^(?!x)" at #/properties/a/${keyword}${keyword === "oneOf" ? "/0" : ""}/pattern, below ${keyword}, cannot be checked: it looks around, which takes more than linear time; any object is let through`,
      ]);
    },
  );
});

describeShared("patterns of the reference data", () => {
  it("C2 S1 every pattern of the catalogues compiles and agrees with the language's own engine", async () => {
    const found = [...readCatalogs().values()].flat().flatMap((tool) => collect([tool.inputSchema, tool.outputSchema]));
    expect(found.length).toBeGreaterThan(0);
    const tried = [...texts, "pods", "app=web,tier!=db", "GD", "AS123", "AS"];
    for (const pattern of new Set(found)) {
      const [own, other] = [compile(pattern), native(pattern)];
      expect(tried.filter((text) => own.test(text))).toEqual(tried.filter((text) => other.test(text)));
    }
  });

  it.each(["draft7", "draft2020-12"])(
    "C2 S1 the cases of %s with patterns and unique items come out right",
    async (draft) => {
      const suite: Suite = JSON.parse(readFileSync(sharedPath("json-schema-suite", `${draft}.json`), "utf8"));
      const $schema = draft === "draft7" ? "http://json-schema.org/draft-07/schema#" : undefined;
      const wrong: string[] = [];
      let count = 0;
      for (const { file, groups } of suite.files) {
        if (
          !/^(optional\/)?(pattern|patternProperties|uniqueItems|propertyNames|ecmascript-regex|non-bmp-regex)\.json$/.test(
            file,
          )
        )
          continue;
        for (const { description, schema, tests } of groups) {
          if (typeof schema !== "object") continue;
          const warnings: string[] = [];
          const use = { what: "t", io: "output", warn: (message: string) => void warnings.push(message) } as const;
          const { parse } = readSchema($schema === undefined ? schema : { $schema, ...schema }, use);
          for (const { data, valid, description: title } of tests) {
            count++;
            const parsed = await parse(data as never);
            if (parsed.ok !== valid) wrong.push(`${file}: ${description}: ${title}`);
          }
          wrong.push(...warnings);
        }
      }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(150);
    },
  );
});

interface Suite {
  readonly files: readonly {
    readonly file: string;
    readonly groups: readonly {
      readonly description: string;
      readonly schema: boolean | object;
      readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
    }[];
  }[];
}

function collect(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => [
    ...(key === "pattern" && typeof value === "string" ? [value] : []),
    ...(key === "patternProperties" && typeof value === "object" && value !== null ? Object.keys(value) : []),
    ...collect(value),
  ]);
}
