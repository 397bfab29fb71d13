import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Compiled } from "../../src/runtime/compiled.ts";
import { codeFrame } from "../../src/runtime/code-frame.ts";
import { describeError, type DescribedError, type Frame, readStack } from "../../src/runtime/frames.ts";
import { evaluate, startCompiler } from "./programs.ts";
import { countSearches } from "./searches.ts";

const compiler = startCompiler();
afterAll(() => compiler.close());

async function thrown(source: string): Promise<DescribedError> {
  const { error } = await evaluate(compiler, source);
  if (error === undefined) throw new Error("nothing was thrown");
  return error;
}

const helper = `interface Row {
  id: number;
}
enum Level { low, high }

function check(row: Row): number {
  if (row.id > Level.low) throw new RangeError("too high");
  return row.id;
}

const rows: Row[] = [{ id: 1 }];
`;

describe("where an error was thrown", () => {
  it("X9 (I1) the innermost frame comes first, then its callers, on the model's lines", async () => {
    expect(await thrown(`${helper}\nconst ids = rows.map((row) => check(row));\nids`)).toEqual({
      name: "RangeError",
      message: "too high",
      line: 7,
      column: 33,
      frame: [
        "  5 |",
        "  6 | function check(row: Row): number {",
        '> 7 |   if (row.id > Level.low) throw new RangeError("too high");',
        "    |                                 ^",
        "  8 |   return row.id;",
        "  9 | }",
      ].join("\n"),
      stack: [
        { name: "check", line: 7, column: 33 },
        { line: 13, column: 31 },
        { line: 13, column: 18 },
      ],
    });
  });

  const forms: readonly (readonly [string, (body: string) => string, number])[] = [
    ["statements", (body) => body, 0],
    ["types", (body) => `type A = {\n  b: 1;\n};\nlet c: A | undefined;\n${body}`, 4],
    ["a fence", (body) => `Here:\n\n\`\`\`ts\n${body}\n\`\`\`\nDone.`, 3],
    ["a fence with types", (body) => `\`\`\`ts\nlet c: number = 1;\n${body}\n\`\`\``, 2],
    ["an arrow function", (body) => `async () => {\n${body}\n}`, 1],
    ["an anonymous function", (body) => `async function () {\n${body}\n}`, 1],
    ["a call of itself", (body) => `(async () => {\n${body}\n})()`, 1],
    ["main", (body) => `async function main() {\n${body}\n}`, 1],
    ["a typed main", (body) => `const main = async (): Promise<void> => {\n${body}\n};`, 1],
    ["a default export", (body) => `export default async function () {\n${body}\n}`, 1],
    ["a default export by name", (body) => `export default main;\nasync function main() {\n${body}\n}`, 2],
    ["a namespace beside it", (body) => `namespace N { export const a = 1 }\n${body}`, 1],
    ["using beside it", (body) => `using u = { [Symbol.dispose]() {} };\n${body}`, 1],
    ["CRLF", (body) => `const u = 1;\r\n${body.replaceAll("\n", "\r\n")}`, 1],
    ["a byte order mark", (body) => `\uFEFF${body}`, 0],
    ["a first line with #!", (body) => `#!/usr/bin/env node\n${body}`, 1],
  ];

  it.each(forms)("X9 in %s: at once, after an await, in a callback, in an async callback", async (_, wrap, lines) => {
    const at = async (body: string): Promise<unknown> => {
      const { name, message, line } = await thrown(wrap(body));
      return [name, message, line];
    };
    const message = "Cannot read properties of undefined (reading 'b')";
    expect(await at("const a = {};\na.x.b;\nreturn 1;")).toEqual(["TypeError", message, lines + 2]);
    expect(await at("const a = {};\nawait tools.echo(1);\na.x.b;\nreturn 1;")).toEqual([
      "TypeError",
      message,
      lines + 3,
    ]);
    expect(await at("[{}].map((a) =>\n  a.x.b);\nreturn 1;")).toEqual(["TypeError", message, lines + 2]);
    expect(
      await at("await Promise.all([{}].map(async (a) => {\n  await tools.echo(1);\n  a.x.b;\n}));\nreturn 1;"),
    ).toEqual(["TypeError", message, lines + 3]);
  });

  it("X9 async frames are kept", async () => {
    const { stack } = await thrown(
      "async function inner() {\n  await tools.echo(1);\n  throw new Error('a');\n}\nasync function outer() {\n  await inner();\n}\nawait outer();",
    );
    expect(stack).toEqual([
      { name: "inner", line: 3, column: 9 },
      { name: "outer", line: 6, column: 3 },
      { line: 8, column: 1 },
    ]);
  });

  it("X9 the first line of a module's top has its column", async () => {
    expect(await thrown("null.b; namespace N { export const a = 1 }")).toMatchObject({ line: 1, column: 6 });
  });

  it("X9 methods, constructors and eval", async () => {
    const { stack } = await thrown("class A {\n  constructor() { this.b(); }\n  b() { null.c }\n}\nnew A();");
    expect(stack).toEqual([
      { name: "A.b", line: 3, column: 14 },
      { name: "A", line: 2, column: 24 },
      { line: 5, column: 1 },
    ]);
    expect(await thrown('const a = 1;\neval("null.b");')).toMatchObject({ line: 2, column: 1 });
  });

  it("X9 the first characters of a trailing expression are the model's, not those put before it", async () => {
    expect(await thrown("missing")).toMatchObject({ line: 1, column: 1 });
    expect(await thrown("const a: number = 1;\nawait missing")).toMatchObject({ line: 2 });
  });

  it("X9 a thrown value without a stack has no place", async () => {
    expect(describeError({ name: "Thrown", message: "7" }, await compiled("throw 7"))).toEqual({
      name: "Thrown",
      message: "7",
      stack: [],
    });
  });

  it("X9 an error's own hint stays", async () => {
    const error = { name: "ToolError", message: "x is not defined", hint: "call it otherwise" };
    expect(describeError(error, await compiled("return 1"))).toEqual({ ...error, stack: [] });
  });

  it("X9 a syntax error that V8 reports by its line alone", async () => {
    const error = {
      name: "SyntaxError",
      message: "bad",
      stack: "program.ts:2\n  a b\n  ^\n\nSyntaxError: bad\n    at internal.js:1:1",
    };
    expect(describeError(error, await compiled("1;\n2"))).toMatchObject({
      line: 2,
      column: 1,
      stack: [{ line: 2, column: 1 }],
    });
  });
});

async function compiled(source: string): Promise<Compiled> {
  const result = await compiler.compile(source);
  if (!result.ok) throw new Error(result.failure.message);
  return result;
}

describe("hostile stacks", () => {
  it("X9 frames in a message, of other files and of nowhere are none", async () => {
    const program = await compiled("const a = 1;\nreturn a;");
    const message = "b\n    at fake (program.ts:1:30)";
    const stack = [
      `Error: ${message}`,
      "    at host (/srv/app/secret.js:1:1)",
      "    at own (file:///srv/program.ts:2:1)",
      "    at program.ts:99:1",
      "    at program.ts:1:3",
      "    at program.ts:3:2",
      "    at async Promise.all (index 0)",
      "    at Array.map (<anonymous>)",
      "program.ts:2:1",
      "    at real (program.ts:2:8)",
    ].join("\n");
    expect(describeError({ name: "Error", message, stack }, program)).toEqual({
      name: "Error",
      message,
      line: 2,
      column: 8,
      frame: "  1 | const a = 1;\n> 2 | return a;\n    |        ^",
      stack: [{ name: "real", line: 2, column: 8 }],
    });
  });

  it("X9 a stack and a message are cut", async () => {
    const program = await compiled("const a = 1;\nreturn a;");
    const line = "    at f (program.ts:2:8)\n";
    expect(readStack(line.repeat(10_000), "", program).length).toBe(20);
    expect(readStack(`${"x".repeat(7_990)}\n${line}`, "", program)).toEqual([]);
    expect(describeError({ name: "Error", message: "x".repeat(9_999) }, program).message.length).toBe(4_000);
  });
});

describe("hostile lines of a stack", () => {
  it("X9 a frame's name and place are read as V8 writes them", async () => {
    const program = await compiled("const a = 1;\nreturn a;");
    const names = [
      ["f (program.ts:2:8)", "f"],
      ["async f (program.ts:2:8)", "f"],
      ["new A (program.ts:2:8)", "A"],
      ["Object.f [as g] (program.ts:2:8)", "Object.f"],
      ["A.<computed> [as b [as c]] (program.ts:2:8)", "A.<computed>"],
      ["async new (program.ts:2:8)", "new"],
      ["program.ts:2:8", undefined],
      ["eval (program.ts:2:8)", undefined],
      ["f (eval at g (program.ts:2:8), <anonymous>:1:1)", undefined],
    ] as const;
    for (const [line, name] of names) {
      expect(readStack(`    at ${line}`, "", program)).toEqual([
        name === undefined ? { line: 2, column: 8 } : { name, line: 2, column: 8 },
      ]);
    }
    expect(readStack("    at f (program.ts:2:8", "", program)).toEqual([]);
    expect(readStack("    at (program.ts:2:8)", "", program)).toEqual([]);
  });

  it.each([
    " (",
    " (program.ts:2:8)",
    " [as ",
    " [as ]",
    "program.ts:",
    "program.ts:2:8 (",
    " ",
    "new ",
    "eval at ",
    "\n",
    "\n    at ",
  ])("X5 X9 a stack of %j is read in one pass over its first 8000 characters", async (unit) => {
    const program = await compiled("const a = 1;\nreturn a;");
    for (const [head, tail] of [
      ["    at ", ""],
      ["    at f", " (program.ts:2:8)"],
      ["    at (", ")"],
      ["    at f [as ", "] (program.ts:2:8)"],
    ]) {
      for (const units of [7_000, 14_000]) {
        const stack = `${head}${unit.repeat(units / unit.length)}${tail}`;
        let frames: readonly Frame[] = [];
        const count = countSearches(() => {
          frames = readStack(stack, "", program);
        });
        expect(count.matched).toBeLessThanOrEqual(40_000);
        expect(count.scanned).toBeLessThanOrEqual(40_000);
        expect(frames.length).toBeLessThanOrEqual(20);
        for (const { name } of frames) expect((name ?? "").length).toBeLessThanOrEqual(200);
      }
    }
  });

  it("X9 any error is described within bounds, without throwing", async () => {
    const program = await compiled(`const a = 1; /* ${"x".repeat(60_000)} */ return a;\nreturn a;`);
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(
          fc.constantFrom(
            "    at ",
            "f",
            " (",
            "program.ts:",
            "1:",
            "2:3",
            ")",
            "\n",
            "eval at ",
            "60000",
            "async ",
            "TypeError: m",
          ),
        )
        .map((parts) => parts.join("")),
      fc.constantFrom("x".repeat(20_000)),
    );
    fc.assert(
      fc.property(text, text, text, text, (name, message, stack, hint) => {
        const described = describeError({ name, message, stack, hint }, program);
        expect(described.name).toBe(name.slice(0, 200));
        expect(described.message).toBe(message.slice(0, 4_000));
        expect(described.hint).toBe(hint.slice(0, 4_000));
        expect((described.frame ?? "").length).toBeLessThanOrEqual(1_200);
      }),
      { numRuns: 500 },
    );
  });
});

describe("code frames", () => {
  it("X9 two lines above and below", () => {
    expect(codeFrame("a\nb\nc\nd\ne\nf\ng", { line: 4, column: 1 })).toBe(
      "  2 | b\n  3 | c\n> 4 | d\n    | ^\n  5 | e\n  6 | f",
    );
    expect(codeFrame("a\r\nb\u2028c", { line: 3, column: 2 })).toBe("  1 | a\n  2 | b\n> 3 | c\n    |  ^");
  });

  it("X9 of a long line only what is near the place", () => {
    const frame = codeFrame(`${"a".repeat(1_000)}b${"c".repeat(1_000)}\nd`, { line: 1, column: 1_001 });
    expect(frame).toBe(`> 1 | …${"a".repeat(79)}b${"c".repeat(80)}…\n    | ${" ".repeat(80)}^\n  2 | …`);
  });

  it("X9 a frame is short, whatever the lines are, and the caret stays below its place", () => {
    const line = fc.oneof(
      fc.integer({ min: 0, max: 60_000 }).map((length) => "a".repeat(length)),
      fc.string({ unit: "binary-ascii" }).map((text) => text.replace(/[\n\r]/g, "")),
    );
    const text = fc.array(line, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (lines, atLine, atColumn) => {
        const row = atLine % lines.length;
        const own = (lines[row] ?? "").slice(0, 50_000);
        const column = (atColumn % (own.length + 1)) + 1;
        const source = lines.map((other, index) => (index === row ? `${own}#` : other)).join("\r\n");
        const frame = codeFrame(source, { line: row + 1, column });
        expect(frame.length).toBeLessThanOrEqual(1_200);
        const shown = frame.split("\n");
        const at = shown.findIndex((part) => part.startsWith(">"));
        const caret = shown[at + 1]?.indexOf("^") ?? -1;
        expect(shown[at]?.[caret]).toBe(`${own}#`[column - 1]);
      }),
    );
  });

  it("X5 X9 a frame costs one pass over the text, however many lines it has", () => {
    for (const lines of [30_000, 60_000]) {
      const source = "a\n".repeat(lines);
      const count = countSearches(() => codeFrame(source, { line: lines, column: 1 }));
      expect(count.longest).toBeLessThanOrEqual(200);
      expect(count.matched).toBeLessThanOrEqual(10_000);
      expect(count.scanned).toBeLessThanOrEqual(source.length + 10_000);
    }
  });
});
