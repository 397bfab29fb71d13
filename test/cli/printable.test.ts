import fc from "fast-check";
import { expect, it } from "vitest";
import { escaped, printable } from "../../src/cli/printable.ts";

it.each([
  ["\u001B[2Jcleared", "cleared"],
  ["\u001B[31mred\u001B[0m", "red"],
  ["\u009B2Jcleared", "cleared"],
  ["\u001B[38;2;1;2;3mred\u001B[?25l", "red"],
  ["\u001B]0;a title\u0007text", "text"],
  ["\u001B]8;;http://127.0.0.1\u001B\\link\u001B]8;;\u001B\\", "link"],
  ["\u001BPq\u009Ctext", "text"],
  ["\u001B]0;a\u001B[31m\nb", "\uFFFD]0;a\nb"],
  ["\u001B[31", "\uFFFD[31"],
  ["\u001Bone", "\uFFFDone"],
  ["a\u0008b\u0000\u007F\u0085c", "a\uFFFDb\uFFFD\uFFFD\uFFFDc"],
  ["good\rbad", "good\uFFFDbad"],
  ["one\r\ntwo\n\tthree", "one\ntwo\n\tthree"],
  ["é 漢 🙂 ▸ ✓", "é 漢 🙂 ▸ ✓"],
])("U1 the text %j is printed as %j", (given, shown) => {
  expect(printable(given)).toBe(shown);
});

it("U1 no text that is printed for people holds a control character but newline and tab", () => {
  const chars = fc.string({
    unit: fc.constantFrom("\u001B", "[", "]", "2", "J", ";", "\u0007", "\u009B", "\r", "\n", "\t", "a"),
  });
  fc.assert(
    fc.property(chars, (text) => {
      expect(printable(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
  );
});

it.each(["\u001B]a", "\u001B[1;", "\u009B", "\u001BP\u009D", "\u001B];a b"])(
  "U1 a long text of %j is printed in a time that grows with its length alone",
  (part) => {
    // Some seconds where the time grows with the square of the length; the test's own time ends it.
    expect(printable(part.repeat(1_000_000))).not.toMatch(/[^\P{Cc}\n\t]/u);
  },
);

it("U1 JSON on stdout holds no control character, and is the same value", () => {
  const strings = fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)) });
  fc.assert(
    fc.property(fc.dictionary(strings, strings), (value) => {
      const text = escaped(JSON.stringify(value));
      expect(text).not.toMatch(/\p{Cc}/u);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
