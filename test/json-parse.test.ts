import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../src/json.ts";

/** Keys of which many begin alike once they are written as JSON. */
const key = fc.oneof(
  fc.constantFrom("\n", "\\n", "\nq", "\\nq", '"', '\\"', "\\", "\\\\", "__proto__", "a", ""),
  fc.string(),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, -0, 1.5e300, "x", "\\n", "\n:"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("any")), { maxLength: 4 }).map((fields) => {
      const made = {};
      for (const [name, field] of fields)
        Object.defineProperty(made, name, { value: field, enumerable: true, configurable: true, writable: true });
      return made;
    }),
  ),
})).any;

describe("keys that are written with an escape", () => {
  it("C7 are read as they are written, whatever was read before", () => {
    JSON.parse('[{"a":1,"\\\\n":2},{"a":1,"\\nq":2}]');
    expect(Object.keys(parseJson('{"a":1,"\\nq":2}') as object)).toEqual(["a", "\nq"]);
    expect(parseJson('{ "\\u0061" : [ 1 , { "\\"" : "\\\\" } , [] , {} ] , "b":-0.5e-2}')).toEqual({
      a: [1, { '"': "\\" }, [], {}],
      b: -0.005,
    });
  });

  it("C7 text that was written comes back the same", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), fc.constantFrom(undefined, 1, "\t"), (all, space) => {
        for (const one of all) {
          const text = JSON.stringify(one, undefined, space);
          expect(JSON.stringify(parseJson(text), undefined, space)).toBe(text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("C7 what is no JSON is refused as ever", () => {
    for (const text of ['{"\\n":}', '{"\\n":1', "", '{"\\q":1}', '["\\n":1]'])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});
