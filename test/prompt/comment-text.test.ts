import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commentLines, docComment, inlineComment } from "../../src/prompt/comment-text.ts";
import { compileErrors } from "./compile.ts";

describe("comment text", () => {
  it.each([
    ["like src/**/x*/", ["like src/**/x*/"]],
    ["one\ntwo = 1", ["one", "two = 1"]],
    ["a\rb\r\nc\u2028d\u2029e\u0085f\vg\fh", ["a", "b", "c", "d", "e", "f", "g", "h"]],
    ["\n\n  first\n\n    Args:\n      x: y\n", ["first", "Args:", "  x: y"]],
    ["```ts\nx\n```` and `code`", ["'''ts", "x", "'''' and `code`"]],
    ["a\u0000b\u001b[31m\u202ec\u2066\tx", ["ab[31mc  x"]],
    ["lone \ud800 half", ["lone \ufffd half"]],
    ["@ts-ignore\n@ts-expect-error", ["@ ts-ignore", "@ ts-expect-error"]],
    ["", []],
    [" \n\t\n", []],
  ])("D3 %j gives safe lines (C1, C2, C20)", (text, lines) => {
    expect(commentLines(text)).toEqual(lines);
  });

  it("D3 no text leaves its comment, whatever it holds", () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "*/",
        "/*",
        "\n",
        "\r",
        "\u2028",
        "@ts-ignore",
        "//",
        "`",
        "```",
        "*",
        "/",
        "\\",
        " ",
        "let",
        "}",
      ),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    const text = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(text, { minLength: 200, maxLength: 200 }), (texts) => {
        const file = texts.map((given, i) => {
          const lines = commentLines(given);
          for (const line of lines) expect(line).not.toMatch(/[\r\n\u2028\u2029]|```/);
          const trailing = lines.map((line) => `type T${i}_${lines.indexOf(line)} = 1; // ${line}`);
          return `${docComment(lines, "")}\ndeclare const a${i}: ${inlineComment(lines)} 1;\n${[...new Set(trailing)].join("\n")}`;
        });
        expect(compileErrors({ "a.ts": file.join("\n") })).toEqual([]);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});
