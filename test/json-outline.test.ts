import fc from "fast-check";
import { expect, it } from "vitest";
import { outlineOf } from "../src/json-outline.ts";

/** Where each value of a text begins and ends, by parsing what stands between. */
function partsOf(json: string): [from: number, to: number][] {
  const outline = outlineOf(json);
  const parts: [number, number][] = [];
  const visit = (at: number): void => {
    const end = outline.end(at);
    parts.push([at, end]);
    const closing = json[at] === "[" ? "]" : json[at] === "{" ? "}" : undefined;
    if (closing === undefined || json[at + 1] === closing) return;
    for (let item = at + 1; item < end;) {
      if (closing === "}") item = outline.end(item) + 1;
      visit(item);
      item = outline.end(item) + 1;
    }
  };
  visit(0);
  return parts;
}

function valuesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return [value, ...Object.values(value).flatMap(valuesOf)];
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\\", '"', '\\"', "[{", "é", "😀", "x".repeat(300)),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false, 0, -1.5e300),
    text,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(text, tie("value"), { maxKeys: 5 }),
  ),
})).value;

type Part = readonly [text: string, bytes: number];

function found(value: unknown): Part[] {
  const json = JSON.stringify(value);
  const outline = outlineOf(json);
  return partsOf(json).map(([from, to]) => [json.slice(from, to), outline.bytes(from, to)]);
}

/** Texts are compared, never parsed: V8 13.6 may take a key with an escape for another key that it parsed before. */
const wanted = (value: unknown): Part[] =>
  valuesOf(value).map((one) => {
    const own = JSON.stringify(one);
    return [own, Buffer.byteLength(own)];
  });

it("X10 every value in a text is found, with its bytes", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(found(value)).toEqual(wanted(value));
    }),
    { numRuns: 500 },
  );
});

it("X10 a key that is an escape is told from one that is its first character", () => {
  const value = [{ "": null, '"': null, "\\": "\\" }];
  expect(found(value)).toEqual(wanted(value));
  expect(found(value).map(([part]) => part)).toEqual([
    '[{"":null,"\\"":null,"\\\\":"\\\\"}]',
    '{"":null,"\\"":null,"\\\\":"\\\\"}',
    "null",
    "null",
    '"\\\\"',
  ]);
});

it("X10 a deep text is found as a flat one is", () => {
  const json = `${"[".repeat(900)}"${"x".repeat(1_000_000)}"${"]".repeat(900)}`;
  const outline = outlineOf(json);
  for (let depth = 0; depth < 900; depth += 1) expect(outline.end(depth)).toBe(json.length - depth);
});
