import * as fc from "fast-check";
import { expect, it } from "vitest";
import { matchesGlob } from "../../src/registry/glob.ts";

it.each([
  ["get_issue", "get_issue", true],
  ["get_issue", "Get_Issue", false],
  ["get_*", "get_", true],
  ["get_*", "forget_it", false],
  ["*delete*", "bulk_delete_rows", true],
  ["*_all", "delete_all", true],
  ["a*b*a", "aba", true],
  ["a*b*a", "ab", false],
  ["a*a", "a", false],
  ["*", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["???", "ab", false],
  ["?*?", "ab", true],
  ["?*?", "a", false],
  ["a?c", "a😀c", true],
  ["a??c", "a😀c", false],
  ["*??", "😀", false],
  ["[ab]", "a", false],
  ["\\*", "*", false],
])("S4 M1 the glob %j on the name %j: %j", (glob, name, expected) => {
  expect(matchesGlob(glob, name)).toBe(expected);
});

it("S4 M1 a glob matches what the expression does in which `*` is any run and `?` one character", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "😀"), maxLength: 12 });
  const glob = fc.string({ unit: fc.constantFrom("a", "b", ".", "😀", "*", "?"), maxLength: 8 });
  fc.assert(
    fc.property(glob, text, (pattern, name) => {
      const source = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
      expect(matchesGlob(pattern, name)).toBe(new RegExp(`^${source}$`, "su").test(name));
    }),
    { numRuns: 2_000 },
  );
});

it("S4 a glob that would have an expression try for ever is answered", () => {
  expect(matchesGlob(`${"a*".repeat(1_000)}b`, "a".repeat(20_000))).toBe(false);
});
