import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonError, toJson } from "../src/json.ts";
import { toJsonInSlices } from "../src/json-slices.ts";
import type { Share } from "../src/json-walk.ts";

const bounds = { maxDepth: 100, maxChars: 20_000_000 };
const tiny = { items: 3, containerItems: 2, textChars: 4 };

async function textOf(run: () => string | Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

const isText = (told: string): boolean => !told.startsWith("$");

/** What a value becomes in slices, and how many turns of the event loop went by meanwhile. */
async function inSlices(value: unknown, limits = bounds): Promise<{ readonly text: string; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const text = await textOf(() => toJsonInSlices(value, limits));
  isOver = true;
  return { text, turns };
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}`, tags: ["a", "é"], at: new Date(0) }));

describe("a value that is written in slices", () => {
  it("C2 C7 a small one is written at once", async () => {
    await new Promise(setImmediate);
    const value = { a: [1, "x", null, undefined, new Set([1n])], b: { c: -0 }, d: undefined };
    expect(toJsonInSlices(value, bounds)).toBe('{"a":[1,"x",null,null,["1"]],"b":{"c":0}}');
    expect(toJsonInSlices(undefined, bounds)).toBe("null");
  });

  it("C7 anything at all becomes the same text or the same error as in one go, whatever the size of the slices", async () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
      withBoxedValues: true,
      withUnicodeString: true,
    });
    const share = fc.record({
      items: fc.integer({ min: 1, max: 20 }),
      containerItems: fc.integer({ min: 1, max: 5 }),
      textChars: fc.integer({ min: 1, max: 5 }),
    });
    const told = (value: unknown, limits: typeof bounds, given: Share) =>
      textOf(() => toJsonInSlices(value, limits, given));
    await fc.assert(
      fc.asyncProperty(anything, share, async (value, given) => {
        const limits = { maxDepth: 5, maxChars: 1_000_000 };
        expect(await told(value, limits, given)).toBe(await textOf(() => toJson(value, limits)));
        const close = { maxDepth: 5, maxChars: 200 };
        const [sliced, whole] = [await told(value, close, given), await textOf(() => toJson(value, close))];
        if (sliced !== whole) expect([sliced, whole].map(isText)).toEqual([false, false]);
      }),
      { numRuns: 500, endOnFailure: true },
    );
  });

  it.each<[string, unknown]>([
    ["rows", rows(60_000)],
    ["a flat list", Array.from({ length: 500_000 }, (_, at) => at)],
    ["an object of many keys", Object.fromEntries(Array.from({ length: 130_000 }, (_, at) => [`k${at}`, at]))],
    ["a Map", new Map(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, [at]]))],
    ["a Set", new Set(Array.from({ length: 300_000 }, (_, at) => at))],
    ["bytes", new Uint8Array(400_000)],
    ["a long text", `"${"é😀\u0001a".repeat(1_900_000)}`],
    ["holes", new Array(300_000)],
    ["lists in lists", Array.from({ length: 300 }, () => Array.from({ length: 300 }, (_, at) => [at, { at }]))],
  ])("C2 C7 %s lets turns of the event loop go by and gives the same text", async (_what, value) => {
    const { text, turns } = await inSlices(value);
    expect(text === toJson(value, bounds)).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it("C10 a value over the bound ends early, however it got there", async () => {
    const limits = { maxDepth: 100, maxChars: 1_000_000 };
    const message = "$ is over 1000000 characters of JSON";
    const text = "x".repeat(60_000);
    const reads: number[] = [];
    const counted = new Proxy(Array(1_000_000).fill(""), {
      get: (target, key) => (key === "length" ? 1_000_000 : (reads.push(Number(key)), text)),
    });
    expect(await inSlices(Array(10_000).fill(text), limits)).toMatchObject({ text: message });
    expect(await inSlices("\u0001".repeat(1_500_000), limits)).toMatchObject({ text: message });
    expect(await inSlices(new Array(4_000_000_000), limits)).toMatchObject({ text: message });
    expect(await inSlices({ a: rows(40_000) }, limits)).toMatchObject({ text: message });
    await inSlices({ counted }, limits);
    expect(reads.length).toBeLessThan(20);
  });

  it("C7 the path of what cannot cross is told from any slice", async () => {
    const list: unknown[] = rows(30_000);
    list[29_999] = { at: { when: new Date(Number.NaN) } };
    expect(await inSlices({ list })).toMatchObject({ text: "$.list[29999].at.when is an invalid Date" });
    const cycle: Record<string, unknown> = { fill: rows(30_000) };
    cycle.inner = [{ cycle }];
    expect(await inSlices({ cycle })).toMatchObject({
      text: "$.cycle.inner[0].cycle refers back to $.cycle; JSON cannot hold a cycle",
    });
  });

  it("C7 each part is read once, and what is changed between slices is read as it is then", async () => {
    const reads = new Map<PropertyKey, number>();
    const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
    const value = new Proxy(Object.fromEntries(names.map((name) => [name, [name]])), {
      get(target, key) {
        reads.set(key, (reads.get(key) ?? 0) + 1);
        return Reflect.get(target, key) as unknown;
      },
    });
    const text = toJsonInSlices(value, bounds, tiny);
    expect(text).toBeInstanceOf(Promise);
    expect(await text).toBe(`{${names.map((name) => `"${name}":["${name}"]`).join(",")}}`);
    expect([...reads]).toEqual([["toJSON", 1], ...names.map((name) => [name, 1])]);

    const list: unknown[] = names.map((name) => ({ name }));
    const changing = toJsonInSlices(list, bounds, tiny);
    list.length = 30;
    list[29] = "changed";
    const made = JSON.parse(await changing) as unknown[];
    expect([made.length, made[0], made[29], made[30], made[39]]).toEqual([40, { name: "p0" }, "changed", null, null]);
  });

  it("C2 values that are written at the same time take turns, one slice in each", async () => {
    const order: string[] = [];
    const noisy = (name: string) =>
      Array.from({ length: 12 }, (_, at) => ({
        toJSON() {
          order.push(`${name}${at}`);
          return [name, at, at];
        },
      }));
    const [a, b] = await Promise.all([
      toJsonInSlices(noisy("a"), bounds, tiny),
      toJsonInSlices(noisy("b"), bounds, tiny),
    ]);
    expect([a, b]).toEqual([toJson(noisy("a"), bounds), toJson(noisy("b"), bounds)]);
    const switches = order.slice(0, 24).filter((entry, at) => at > 0 && entry[0] !== order[at - 1]?.[0]);
    expect(switches.length).toBeGreaterThan(4);
  });

  it("C7 names of prototypes and poisoned ones do no harm", async () => {
    const hidden = JSON.parse('{"__proto__":{"a":1},"constructor":[1,2,3,4],"toJSON":1}') as unknown;
    expect(await toJsonInSlices(hidden, bounds, tiny)).toBe('{"__proto__":{"a":1},"constructor":[1,2,3,4],"toJSON":1}');
    const map = new Map([["__proto__", { a: [1, 2, 3, 4, 5] }]]);
    expect(await toJsonInSlices([map, map], bounds, tiny)).toBe(
      '[{"__proto__":{"a":[1,2,3,4,5]}},{"__proto__":{"a":[1,2,3,4,5]}}]',
    );
    const hear = () => "heard";
    const { prototype } = Array;
    Object.defineProperty(prototype, "toJSON", { value: hear, configurable: true });
    try {
      const value = [{ a: [1, 2, 3], b: { c: 1, d: 2, e: 3 } }, [4]];
      expect(await toJsonInSlices(value, bounds, tiny)).toBe('[{"a":[1,2,3],"b":{"c":1,"d":2,"e":3}},[4]]');
    } finally {
      delete (prototype as { toJSON?: unknown }).toJSON;
    }
  });
});
