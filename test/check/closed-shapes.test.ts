import { expect, it } from "vitest";
import { closedShapes, shapeKey } from "../../src/runtime/check/closed-shapes.ts";
import type { JsonValue } from "../../src/json.ts";

const closed = (...names: readonly string[]) => ({
  properties: Object.fromEntries(names.map((name) => [name, true])),
  additionalProperties: false,
});
const open = (...names: readonly string[]) => ({ properties: closed(...names).properties });

it.each<readonly [string, readonly JsonValue[], readonly (readonly string[])[]]>([
  ["an object that admits no other names", [closed("b", "a")], [["a", "b"]]],
  ["one that admits others", [open("a")], []],
  ["one that admits none at all", [{ additionalProperties: false }], [[]]],
  ["at any depth", [{ type: "array", items: { anyOf: [closed("a"), { type: "null" }] } }], [["a"]]],
  ["in definitions", [{ $defs: { x: closed("a") }, $ref: "#/$defs/x" }], [["a"]]],
  ["another object of the same names is open", [closed("a"), open("a")], []],
  ["patterns admit others", [{ ...closed("a"), patternProperties: { "^x": true } }], []],
  ["with conditions nothing is plain", [{ ...closed("a"), if: open("b") }], []],
  ["what is put together is open", [closed("a", "b"), { allOf: [closed("a"), closed("b")] }, closed("c")], [["c"]]],
  [
    "what a reference and more make together is open",
    [closed("a", "b"), { $defs: { x: open("a") }, $ref: "#/$defs/x", properties: { b: true } }],
    [],
  ],
  ["names that are only required count", [closed("a", "b"), { ...open("a"), required: ["b"] }], []],
  [
    "names that a condition adds count",
    [closed("a", "b"), { allOf: [{ ...open("a"), if: open("c"), then: open("b") }] }],
    [],
  ],
  [
    "names below what is put together count",
    [closed("a"), { allOf: [open("x"), { properties: { y: open("a") } }] }],
    [],
  ],
  ["one schema under `allOf` is itself", [{ allOf: [closed("a")] }], [["a"]]],
  ["unevaluated names are refused too", [{ properties: { a: true }, unevaluatedProperties: false }], [["a"]]],
])("X11 closed sets of names: %s", (_, schemas, sets) => {
  expect([...closedShapes(schemas)].sort()).toEqual(sets.map(shapeKey).sort());
});
