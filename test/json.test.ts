import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, conversions, JsonError, parseJson, toJson } from "../src/json.ts";

const bounds = { maxDepth: 100, maxChars: 1_000_000 };
const text = (value: unknown): string => toJson(value, bounds);

function refusal(value: unknown, limits = bounds): string {
  try {
    return `crossed as ${toJson(value, limits)}`;
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

class Point {
  x = 1;
}

class Money {
  toJSON(): unknown {
    return { amount: 5n, at: new Date(0) };
  }
}

/** Every row of the table with what it does, so that the table cannot say what the code does not. */
const rows: readonly (readonly [kind: string, cases: readonly (readonly [value: unknown, becomes: string])[]])[] = [
  [
    "null, boolean, finite number, string",
    [
      [null, "null"],
      [true, "true"],
      [-1.5, "-1.5"],
      ["a\n\ud800", '"a\\n\\ud800"'],
    ],
  ],
  [
    "plain object",
    [
      [{ b: 1, a: { c: [] } }, '{"b":1,"a":{"c":[]}}'],
      [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ],
  ],
  ["array", [[[1, [2, ["x"]]], '[1,[2,["x"]]]']]],
  ["undefined property", [[[{ a: 1, b: undefined }], '[{"a":1}]']]],
  [
    "undefined array item or hole, undefined alone",
    [
      [[undefined, 1], "[null,1]"],
      [new Array(2), "[null,null]"],
      [undefined, "null"],
    ],
  ],
  [
    "object with a toJSON method, e.g. URL",
    [
      [new URL("http://a.b/c"), '"http://a.b/c"'],
      [{ m: new Money() }, '{"m":{"amount":"5","at":"1970-01-01T00:00:00.000Z"}}'],
    ],
  ],
  ["Date", [[{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}']]],
  [
    "Map with string keys",
    [
      [
        new Map<string, unknown>([
          ["a", 1],
          ["__proto__", new Map()],
        ]),
        '{"a":1,"__proto__":{}}',
      ],
    ],
  ],
  ["Set", [[new Set(["a", undefined, new Set([1])]), '["a",null,[1]]']]],
  [
    "typed array",
    [
      [new Int8Array([-1]), "[-1]"],
      [new Float32Array([0.5]), "[0.5]"],
      [new BigInt64Array([-3n]), '["-3"]'],
      [Buffer.from([1, 2]), "[1,2]"],
    ],
  ],
  [
    "ArrayBuffer, DataView",
    [
      [new Uint8Array([7, 8]).buffer, "[7,8]"],
      [new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 2), "[2,3]"],
    ],
  ],
  ["BigInt", [[[12345678901234567890n], '["12345678901234567890"]']]],
  ["Error", [[new TypeError("bad"), '{"name":"TypeError","message":"bad"}']]],
  ["Boolean, Number, String object", [[[Object(true), Object(1), Object("s"), Object(2n)], '[true,1,"s","2"]']]],
  ["function, symbol", []],
  ["promise", []],
  ["cycle, or nesting beyond the bound", []],
  ["NaN, Infinity", []],
  ["invalid Date", []],
  ["Map with other keys", []],
  ["instance of any other class", []],
];

describe("toJson", () => {
  it("C7 the table lists exactly the kinds that are tested here", () => {
    expect(conversions.map(([kind]) => kind)).toEqual(rows.map(([kind]) => kind));
  });

  it.each(rows.filter(([, cases]) => cases.length > 0))("C7 %s", (_kind, cases) => {
    for (const [value, becomes] of cases) expect(text(value)).toBe(becomes);
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = [cycle];
  it.each<[string, unknown, string]>([
    [
      "a function",
      { a: [0, 1, () => 1] },
      "$.a[2] is a function; only JSON values cross: leave it out, or call it and pass what it returns",
    ],
    ["a symbol", [Symbol("s")], "$[0] is a symbol; only JSON values cross: use a string"],
    [
      "a promise",
      { all: [Promise.resolve(1)] },
      "$.all[0] is a promise; await it first (await Promise.all(list) for a list of them)",
    ],
    ["a cycle", { a: cycle }, "$.a.self[0] refers back to $.a; JSON cannot hold a cycle"],
    ["NaN", { n: Number.NaN }, "$.n is NaN; JSON has no such number: use null or a string"],
    ["Infinity", [[-Infinity]], "$[0][0] is -Infinity; JSON has no such number: use null or a string"],
    [
      "a NaN in a typed array",
      new Float64Array([1, Number.NaN]),
      "$[1] is NaN; JSON has no such number: use null or a string",
    ],
    ["an invalid Date", { at: new Date(Number.NaN) }, "$.at is an invalid Date"],
    [
      "a Map with other keys",
      { m: new Map([[1, 2]]) },
      "$.m is a Map with a key of type number; only a Map with string keys crosses: use an array of pairs, [...map]",
    ],
    [
      "a class instance",
      { "a b": new Point() },
      '$["a b"] is an instance of Point; only plain objects and arrays cross: pick the fields you need',
    ],
    [
      "a WeakMap",
      new WeakMap(),
      "$ is an instance of WeakMap; only plain objects and arrays cross: pick the fields you need",
    ],
    [
      "a length that is none",
      { a: new Proxy([], { get: (_target, key) => (key === "length" ? "3" : undefined) }) },
      "$.a is an array of a length that is none",
    ],
    [
      "a getter that throws",
      {
        a: [
          {
            get at() {
              throw new Error("no luck");
            },
          },
        ],
      },
      "$.a[0] cannot be read: no luck",
    ],
  ])("C7 %s is refused with its path", (_what, value, message) => {
    expect(refusal(value)).toBe(message);
  });

  it("C7 a class that extends null is an instance like any other", () => {
    const made: unknown = Object.create(Object.create(null, { constructor: { value: Point } }) as object);
    expect(refusal([made])).toBe(
      "$[0] is an instance of Point; only plain objects and arrays cross: pick the fields you need",
    );
  });

  it("C7 X5 depth and size are bounded, each with a reason of its own", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 4; i += 1) deep = [deep];
    expect(text(deep)).toBe("[[[[1]]]]");
    expect(refusal(deep, { maxDepth: 3, maxChars: 100 })).toBe("$[0][0][0] is nested more than 3 levels deep");
    expect(refusal("x".repeat(99), { maxDepth: 3, maxChars: 100 })).toBe("$ is over 100 characters of JSON (101)");
    expect(toJson("x".repeat(98), { maxDepth: 3, maxChars: 100 })).toHaveLength(100);
  });

  it("C7 X5 a value that shares itself is refused before it is written out", () => {
    let value: unknown = ["x"];
    for (let i = 0; i < 40; i += 1) value = [value, value];
    expect(refusal(value, { maxDepth: 100, maxChars: 10_000 })).toBe("$ is over 10000 characters of JSON");
    expect(refusal(new Array(4_000_000_000), { maxDepth: 100, maxChars: 10_000 })).toBe(
      "$ is over 10000 characters of JSON",
    );
  });

  it("C7 values of another realm are plain as those of this one", () => {
    const foreign: unknown = runInNewContext(
      "({ a: [1], d: new Date(0), m: new Map([['k', new Set([1])]]), e: new RangeError('r'), b: new Uint8Array([1]) })",
    );
    expect(text(foreign)).toBe(
      '{"a":[1],"d":"1970-01-01T00:00:00.000Z","m":{"k":[1]},"e":{"name":"RangeError","message":"r"},"b":[1]}',
    );
    expect(refusal(runInNewContext("new (class Foo {})"))).toBe(
      "$ is an instance of Foo; only plain objects and arrays cross: pick the fields you need",
    );
  });

  it("C7 own keys with built-in names survive, and nothing is written to the value (field reports G3, G7)", () => {
    const value = Object.freeze({ toString: "x", toJSON: 1, constructor: null, hasOwnProperty: [] });
    expect(text(value)).toBe('{"toString":"x","toJSON":1,"constructor":null,"hasOwnProperty":[]}');
    const hidden = '{"__proto__":{"a":1},"b":{"__proto__":null}}';
    expect(text(JSON.parse(hidden))).toBe(hidden);
    expect(text(parseJson(hidden))).toBe(hidden);
    expect(Object.getPrototypeOf(parseJson(hidden))).toBe(Object.prototype);
  });

  it("C7 each property is read once, of getters and Proxies too", () => {
    const reads: PropertyKey[] = [];
    let count = 0;
    const getter = {
      get n() {
        return (count += 1);
      },
    };
    const proxy = new Proxy(
      { a: 1, b: [2] },
      {
        get: (target, key) => {
          reads.push(key);
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    expect(text([getter, proxy])).toBe('[{"n":1},{"a":1,"b":[2]}]');
    expect(count).toBe(1);
    expect(reads).toEqual(["toJSON", "a", "b"]);
  });

  it("C7 toJSON is heard once and its result converted, never asked again", () => {
    let asked = 0;
    const value: Record<string, unknown> = {
      toJSON(key: string) {
        asked += 1;
        return { key, set: new Set([1]) };
      },
    };
    expect(text({ field: value })).toBe('{"field":{"key":"field","set":[1]}}');
    expect(asked).toBe(1);
    class Same {
      n = 1;
      toJSON(): unknown {
        return new Same();
      }
    }
    expect(refusal(new Same())).toBe(
      "$ is an instance of Same; only plain objects and arrays cross: pick the fields you need",
    );
  });

  it("C7 plain data gives exactly what JSON.stringify gives", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(text(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 500 },
    );
  });

  it("C7 anything at all is converted or refused, never another error, and the value stays as it was", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
      withBoxedValues: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const before = fc.stringify(value);
        const message = refusal(value);
        if (message.startsWith("crossed as ")) JSON.parse(message.slice(11));
        else expect(message).toMatch(/^[$…].* (is|refers|cannot) /s);
        expect(fc.stringify(value)).toBe(before);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("canonicalJson", () => {
  it("J1 sorts the keys of every object by code units, and no array", () => {
    expect(canonicalJson({ b: [{ z: 1, a: 2 }, 1], a: "x", "10": null, "9": true })).toBe(
      '{"10":null,"9":true,"a":"x","b":[{"a":2,"z":1},1]}',
    );
  });

  it("J1 does not depend on the order in which keys were set", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const given = JSON.parse(JSON.stringify(value)) as Record<string, never>;
        const turned = Object.fromEntries(Object.entries(given).toReversed());
        expect(canonicalJson(turned)).toBe(canonicalJson(given));
        expect(JSON.parse(canonicalJson(given))).toEqual(given);
      }),
    );
  });
});
