import { expect, it } from "vitest";
import { matchesGlob } from "../../src/mcp/glob.ts";

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
  ["a.c", "abc", false],
])("M1 the glob %s on the name %s", (glob, name, expected) => {
  expect(matchesGlob(glob, name)).toBe(expected);
});
