import fc from "fast-check";
import { expect, it } from "vitest";
import { headOfJson } from "../src/json-head.ts";

it.each([
  ['{"a":1,"b":[1,2,3]}', 100, '{"a":1,"b":[1,2,3]}'],
  ['{"a":1,"b":[1,2,3]}', 13, '{"a":1,"b":[1]}'],
  ['{"a":1,"b":[1,2,3]}', 9, '{"a":1}'],
  ['["x","yyyyyyyyyyyyyyy"]', 10, '["x"]'],
  ['"abcdefghij"', 6, '"abcd"'],
  ['"ab\\u0000cd"', 8, '"ab"'],
  ["[123456789]", 5, "[]"],
  ['{"key":"value"}', 8, "{}"],
])("C10 the head of %s in %i characters is %s", (json, chars, head) => {
  expect(headOfJson(json, chars)).toBe(head);
});

it("C10 the head of any JSON is JSON, and not much longer than it may be", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 4, max: 60 }), (value, chars) => {
      const json = JSON.stringify(value);
      const isScalar = !/^["[{]/.test(json);
      if (isScalar) return;
      const head = headOfJson(json, chars);
      JSON.parse(head);
      expect(head.length).toBeLessThanOrEqual(Math.max(chars * 2, json.length > chars ? 0 : json.length));
    }),
  );
});
