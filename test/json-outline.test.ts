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

it("X10 every value in a text is found, with its bytes", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const json = JSON.stringify(value);
      const outline = outlineOf(json);
      const parts = partsOf(json);
      expect(parts.map(([from, to]): unknown => JSON.parse(json.slice(from, to)))).toEqual(valuesOf(JSON.parse(json)));
      for (const [from, to] of parts) expect(outline.bytes(from, to)).toBe(Buffer.byteLength(json.slice(from, to)));
    }),
    { numRuns: 500 },
  );
});

it("X10 a deep text is found as a flat one is", () => {
  const json = `${"[".repeat(900)}"${"x".repeat(1_000_000)}"${"]".repeat(900)}`;
  const outline = outlineOf(json);
  for (let depth = 0; depth < 900; depth += 1) expect(outline.end(depth)).toBe(json.length - depth);
});
