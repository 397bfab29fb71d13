import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../src/json.ts";
import { describeDropped, type Dropped, preview } from "../src/preview.ts";

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

interface Shown {
  readonly value: JsonValue;
  readonly dropped: readonly Dropped[];
}

function show(value: JsonValue, maxBytes: number): Shown {
  const { json, dropped, more, bytes: whole } = preview(JSON.stringify(value), maxBytes);
  expect([whole, more]).toEqual([bytes(value), 0]);
  return { value: JSON.parse(json), dropped };
}

function kind(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

describe("preview", () => {
  it("X10 a value that fits is itself, with nothing dropped", () => {
    const value = { a: [1, "two", null] };
    expect(show(value, bytes(value))).toEqual({ value, dropped: [] });
  });

  it("X10 an array loses its tail and says how many items there were", () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id }));
    const shown = show({ rows }, 60);
    expect(shown).toEqual({
      value: { rows: [{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
      dropped: [{ path: "$.rows", kept: 5, of: 1_000 }],
    });
  });

  it("X10 a long text is cut, never within a pair", () => {
    expect(show("a".repeat(100), 12)).toEqual({
      value: "a".repeat(10),
      dropped: [{ path: "$", kept: 10, of: 100 }],
    });
    expect(show("😀".repeat(5), 8)).toEqual({ value: "😀", dropped: [{ path: "$", kept: 2, of: 10 }] });
  });

  it("X10 an object keeps its keys; small values stay whole and long ones share the room", () => {
    const shown = show({ id: 7, body: "b".repeat(500), title: "t".repeat(500), ok: true }, 80);
    expect(shown.value).toEqual({ id: 7, body: "b".repeat(20), title: "t".repeat(21), ok: true });
    expect(shown.dropped).toEqual([
      { path: "$.body", kept: 20, of: 500 },
      { path: "$.title", kept: 21, of: 500 },
    ]);
    expect(bytes(shown.value)).toBe(80);
  });

  it("X10 keys that do not fit at all are dropped from the tail, and counted", () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key ${i}`, i]));
    const shown = show(wide, 40);
    expect(shown).toEqual({
      value: { "key 0": 0, "key 1": 1, "key 2": 2 },
      dropped: [{ path: "$", kept: 3, of: 100 }],
    });
  });

  it("X10 paths quote keys that are no identifiers", () => {
    expect(show({ "a b": ["x".repeat(50)] }, 40).dropped).toEqual([{ path: '$["a b"][0]', kept: 28, of: 50 }]);
  });

  it("X10 of a long key a path holds the start", () => {
    const [dropped] = show({ ["k".repeat(100)]: "x".repeat(500) }, 200).dropped;
    expect(dropped).toEqual({ path: `$.${"k".repeat(80)}`, kept: 93, of: 500 });
  });

  it("X10 X5 a value that nests as deep as it may and is large at the bottom", () => {
    let value: JsonValue = "x".repeat(1_000_000);
    for (let depth = 0; depth < 900; depth += 1) value = { a: value, b: depth };
    const { value: shown, dropped } = show(value, 50_000);
    expect(dropped).toEqual([{ path: `$…${".a".repeat(100)}`, kept: 37_508, of: 1_000_000 }]);
    expect(bytes(shown)).toBe(50_000);
  });

  it("X10 of very many places the first are listed and the others counted", () => {
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, "x".repeat(100)]));
    const { json, dropped, more } = preview(JSON.stringify(wide), 6_000);
    expect(Object.keys(JSON.parse(json) as object)).toHaveLength(300);
    expect([dropped.length, dropped[0]?.path, dropped[99]?.path, more]).toEqual([100, "$.k0", "$.k99", 200]);
    expect(describeDropped({ dropped: dropped.slice(0, 6), more })).toBe(
      "$.k0 shows 10 of 100, $.k1 shows 10 of 100, $.k2 shows 10 of 100, $.k3 shows 11 of 100, $.k4 shows 11 of 100, 201 more places",
    );
  });

  it("X10 any value: within the bound, deterministic, of the same shape", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 2, max: 200 }), (given, bound) => {
        const value = JSON.parse(JSON.stringify(given)) as JsonValue;
        const shown = show(value, bound);
        expect(bytes(shown.value)).toBeLessThanOrEqual(bound);
        expect(show(value, bound)).toEqual(shown);
        if (bytes(value) <= bound) expect(shown).toEqual({ value, dropped: [] });
        else expect(shown.dropped.length).toBeGreaterThan(0);
        if (typeof value !== "number" && typeof value !== "boolean" && value !== null)
          expect(kind(shown.value)).toBe(kind(value));
      }),
      { numRuns: 500 },
    );
  });
});
