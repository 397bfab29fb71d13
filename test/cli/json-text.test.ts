import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findBadKey, readJson } from "../../src/cli/json-text.ts";

it.each([
  ["", 1, 1, "expected a value, the text ends"],
  ['{\n  "a": 1,\n}', 3, 1, 'expected a key, found "}"'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'expected "," or "}", found "\\"b\\": 2"'],
  ['{ "a" 1 }', 1, 7, 'expected ":", found "1 }"'],
  ["{ 'a': 1 }", 1, 3, `expected a key or "}", found "'a': 1 }"; keys need double quotes`],
  ['{"a": abc}', 1, 7, 'expected a value, found "abc}"'],
  ['{"a": [1, 2', 1, 12, 'expected "," or "]", the text ends'],
  ['{"a": 1} x', 1, 10, 'expected the end, found "x"'],
  ['{"a": "tab\there"}', 1, 7, `expected a string on one line with JSON's escapes only, found "\\"tab\\there\\"}"`],
  ['// hello\n{"a": 1}', 1, 1, 'expected a value, found "// hello"'],
  ['{"a": 01}', 1, 7, 'expected a value, found "01}"'],
])("U1 the place of the fault in %j", (text, line, column, message) => {
  expect(readJson(text)).toEqual({ fault: { line, column, message } });
});

it("U1 JSON is read, and a text with a fault always has a place within it", () => {
  const extras = fc.constantFrom("", ",", "}", "]", '"', ":", "x", "\\", "\n");
  fc.assert(
    fc.property(fc.json(), fc.nat(), extras, (json, place, extra) => {
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + extra + json.slice(at + (extra === "" ? 1 : 0));
      const read = readJson(text);
      const lines = text.split("\n");
      expect("value" in read ? read.value : undefined).toEqual(parsed(text));
      const { line, column } = "fault" in read ? read.fault : { line: 1, column: 1 };
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
    }),
  );
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

it.each([
  ['{"a": 1,\n "a": 2}', 2, 2, 'the key "a" is in one object twice'],
  ['{"a": {"b": 1}, "c": [{"d": 1}, {"d": ",", "\\u0064": 2}]}', 1, 44, 'the key "d" is in one object twice'],
  ['{"mcpServers": {"__proto__": {}}}', 1, 17, 'the key "__proto__" can name nothing'],
])("U1 the place of the bad key in %j", (text, line, column, message) => {
  expect(findBadKey(text)).toEqual({ line, column, message });
});

it("U1 JSON whose keys differ has no bad key", () => {
  expect(findBadKey('{"a": "a", "b": ["a", "a", {"a": 1}], "c": {"a": "{"}, "d": "\\"", "e": [[], "d"]}')).toBe(
    undefined,
  );
  fc.assert(
    fc.property(fc.json(), (json) => {
      const text = JSON.stringify(JSON.parse(json));
      expect(findBadKey(text)).toEqual(text.includes('"__proto__":') ? expect.anything() : undefined);
    }),
  );
});
