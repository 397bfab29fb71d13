import fc from "fast-check";
import { expect, it } from "vitest";
import { pathStep } from "../src/json-path.ts";
import { followPath, readPath } from "../src/json-read-path.ts";

it.each<[string, readonly string[]]>([
  ["", []],
  ["$", []],
  ["a", ["a"]],
  ["$.a", ["a"]],
  ["a.b[0].c", ["a", "b", "0", "c"]],
  ["[3]", ["3"]],
  ["$[3].x", ["3", "x"]],
  ['a["b c"].d', ["a", "b c", "d"]],
  ['["with \\"quote\\""]', ['with "quote"']],
  ["$price", ["$price"]],
  ["/", [""]],
  ["/a/0/b~1c~0d", ["a", "0", "b/c~d"]],
])("X10 the path %s leads by %j", (path, keys) => {
  expect(readPath(path)).toEqual(keys);
});

it.each([".a", "a..b", "a.", "a[", "a[-1]", "a[b]", 'a["b', "a]", "/a~2", "$.", "a[0]b"])(
  "X10 %s is no path",
  (path) => {
    expect(readPath(path)).toBeUndefined();
  },
);

it("X10 what a path names is found among own keys alone, and what is missing is told with what is there", () => {
  const value = { a: [{ b: 1 }], "0": "zero", ["__proto__"]: 5 };
  expect(followPath(value, ["a", "0", "b"])).toEqual({ found: 1 });
  expect(followPath(value, ["0"])).toEqual({ found: "zero" });
  expect(followPath(value, ["constructor"])).toEqual({ reached: 0, last: value });
  expect(followPath(value, ["a", "length"])).toEqual({ reached: 1, last: value.a });
  expect(followPath(value, ["a", "0", "b", "c"])).toEqual({ reached: 3, last: 1 });
});

it("X10 the paths that codecall tells of lead to what they are told of", () => {
  const key = fc.oneof(fc.nat(9), fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 5 }), (keys) => {
      const path = keys.reduce<string>((before, one) => before + pathStep(one), "$");
      expect(readPath(path)).toEqual(keys.map(String));
    }),
  );
});
