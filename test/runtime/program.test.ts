import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble, originOf } from "../../src/runtime/edits.ts";
import { lineStarts, offsetAt, positionAt } from "../../src/runtime/positions.ts";
import { prepare } from "../../src/runtime/program.ts";

function codeOf(source: string): string {
  const prepared = prepare(source);
  return prepared.ok ? prepared.text : prepared.code;
}

function rejected(source: string): { code: string; message: string; at?: number } {
  const prepared = prepare(source);
  if (prepared.ok) return { code: "ok", message: prepared.text };
  const { code, message, offset } = prepared;
  return { code, message, ...(offset === undefined ? {} : { at: offset }) };
}

describe("the planned text", () => {
  it("X1 X9 wraps on line 1 and changes nothing that has no need of it", () => {
    expect(codeOf("const a = 1;\nreturn a;")).toBe('(async () => {"use strict";const a = 1;\nreturn a;\n})');
    expect(codeOf("await tools.a()")).toBe('(async () => {"use strict";return await tools.a()\n})');
  });

  it("X1 types at the top go, line ends and columns stay, and esbuild is spared", () => {
    const prepared = prepare('import type { A } from "a";\nexport interface B {\n  c: 1;\n}\nexport const d = 2;\nd');
    expect(prepared).toMatchObject({ ok: true, erase: "no" });
    expect(prepared.ok && prepared.text.split("\n")).toEqual([
      '(async () => {"use strict";;                          ',
      "       ;            ",
      "       ",
      " ",
      "       const d = 2;",
      "return d",
      "})",
    ]);
  });

  it("X1 says when types must be erased, and that namespaces need a module's top", () => {
    const eraseOf = (source: string): unknown => {
      const prepared = prepare(source);
      return prepared.ok && prepared.erase;
    };
    expect(eraseOf("return 1")).toBe("no");
    for (const source of [
      "const a: number = 1; return a",
      "return x as unknown",
      "return x!",
      "return f<number>(1)",
      "enum A { b } return A.b",
      "class A { private b = 1 } return new A()",
      "class A { constructor(public b: number) {} } return 1",
      "abstract class A {} return 1",
      "class A { b?; } return 1",
      "class A extends B { override b = 1 } return 1",
      "class A<T> implements B {} return 1",
      "function f(a?) {} return 1",
      "using a = b; return 1",
      "for (await using a of b); return 1",
      "return 1 satisfies number",
    ]) {
      expect([source, eraseOf(source)]).toEqual([source, "function"]);
    }
    expect(eraseOf("namespace A { export const b = 1 } return A.b")).toBe("module");
    expect(eraseOf("import A = B.C; return A")).toBe("module");
  });

  it("X1 a comparison that a script would read as an HTML comment keeps its meaning", () => {
    expect(codeOf("let b = 1; return a<!--b")).toBe('(async () => {"use strict";let b = 1; return a< !--b\n})');
    expect(codeOf("{ a: b<!--c }")).toBe('(async () => {"use strict";return ({ a: b< !--c })\n})');
    expect(codeOf('return "<!-- a -->"')).toBe('(async () => {"use strict";return "<!-- a -->"\n})');
    expect(rejected("<!-- a -->\nreturn 1")).toMatchObject({ code: "syntax_error", at: 1 });
  });
});

describe("what is no program", () => {
  it("X1 nothing at all", () => {
    const empty = { code: "program_empty", message: "no program text was given" };
    for (const source of ["", " ", "\n\t\r\n", "\uFEFF", "\u2028"]) expect(rejected(source)).toEqual(empty);
    const idle = { code: "program_empty", message: "the program holds nothing to run: no statement and no expression" };
    for (const source of ["// a", "/* a\n */", ";", "interface A {}", 'import type A from "a"', "export {}"]) {
      expect([source, rejected(source)]).toEqual([source, idle]);
    }
    expect(rejected("```ts\n\n```")).toEqual({
      code: "program_empty",
      message: "the Markdown fence holds no program text",
    });
  });

  it("X1 (E10) shell commands, also those that parse", () => {
    const shell = { code: "not_a_program", message: "the text is a shell command, not a TypeScript program" };
    for (const source of [
      "ls -la",
      "ls",
      "npm install x",
      "$ git status",
      'grep -r "a" .',
      "cat a | head -1",
      "```\nls -la\n```",
    ]) {
      expect([source, rejected(source)]).toEqual([source, shell]);
    }
    const script = { code: "not_a_program", message: "the text is a shell script, not a TypeScript program" };
    expect(rejected("#!/bin/bash\necho hi")).toEqual(script);
    expect(rejected("```bash\nconst a = 1\n```")).toEqual(script);
    expect(prepare("const ls = 2, la = 1; return ls -la").ok).toBe(true);
    expect(prepare("ls()").ok).toBe(true);
  });

  it("X1 (E10) one sentence says what to do", () => {
    expect(prepare("ls -la")).toMatchObject({
      hint: "Write TypeScript that calls the tools, for example: const result = await tools.<name>({ ... }); return result;",
    });
  });

  it("X1 (E11) other languages and prose", () => {
    const python = { code: "not_a_program", message: "the text is Python, not a TypeScript program" };
    for (const source of [
      "import os",
      "import os\nprint(1)",
      "def f():\n  return 1",
      "x = 1\nfor a in range(3):\n  x += a",
      "from a import b",
    ]) {
      expect([source, rejected(source)]).toEqual([source, python]);
    }
    const prose = { code: "not_a_program", message: "the text is prose, not a TypeScript program" };
    for (const source of ["I cannot do that.", "Here is what I found:\n- a\n- b"])
      expect(rejected(source)).toEqual(prose);
  });

  it("X1 X9 a broken program stays a syntax error, whatever its strings say", () => {
    expect(rejected("const text = `\nfor example:\nimport os\n`;\nconst x = ;")).toEqual({
      code: "syntax_error",
      message: "Unexpected token",
      at: 51,
    });
  });

  it("X1 functions that nothing calls", () => {
    expect(rejected("function a() {}\nconst b = (x) => x")).toEqual({
      code: "not_a_program",
      message: "the program declares a, b and calls nothing",
    });
  });
});

describe("imports", () => {
  it("X1 (E5, E6) any import but one of types is refused where it stands", () => {
    const refused = (source: string): unknown => {
      const { code, message, at } = rejected(source);
      return code === "import_not_available"
        ? [message.replace(" is not available: a program has no modules", ""), at]
        : code;
    };
    expect(refused('import { z } from "zod";\nreturn 1')).toEqual(['import of "zod"', 0]);
    expect(refused('import fs from "fs"; return 1')).toEqual(['import of "fs"', 0]);
    expect(refused('return 1;\nimport "a"')).toEqual(['import of "a"', 10]);
    expect(refused('import {} from "a"')).toEqual(['import of "a"', 0]);
    expect(refused('import { type A, b } from "a"')).toEqual(['import of "a"', 0]);
    expect(refused('import a = require("a")')).toEqual(['import of "a"', 0]);
    expect(refused('export * from "a"')).toEqual(['import of "a"', 0]);
    expect(refused('export { b } from "a"')).toEqual(['import of "a"', 0]);
    expect(refused('const a = await import("a")')).toEqual(["import()", 16]);
    expect(refused("return import.meta.url")).toEqual(["import.meta", 7]);
    expect(refused('```ts\nimport a from "a"\n```')).toEqual(['import of "a"', 6]);
  });

  it("X1 the words of an import in a string or a comment are no import", () => {
    expect(prepare("// import a from 'a'\nreturn \"import('a')\"").ok).toBe(true);
  });

  it("X1 says what there is instead", () => {
    expect(prepare('import a from "a"')).toMatchObject({
      hint:
        "Remove it. Files, network and other services are reached through the tools, as await tools.<name>({ ... }); " +
        "tools and the standard globals (URL, TextEncoder, crypto, structuredClone, Intl, timers) are there without import; " +
        "types can be imported with import type.",
    });
  });
});

describe("what is not supported", () => {
  it("X1 (E9) decorators", () => {
    expect(rejected("return 1;\n@a class B {}")).toEqual({
      code: "syntax_error",
      message: "decorators are not supported in a program",
      at: 10,
    });
    expect(rejected("class A { @b() c() {} }\nreturn 1")).toMatchObject({ code: "syntax_error", at: 10 });
    expect(prepare("class A { b(@c d) {} }")).toMatchObject({
      code: "syntax_error",
      hint: "Decorators are not supported; write it without.",
    });
  });

  it("X1 X9 JSX", () => {
    expect(rejected("const a = <b>c</b>;")).toEqual({
      code: "syntax_error",
      message: "JSX is not available in a program",
      at: 10,
    });
  });

  it("X9 an await in a function that is not async has a hint", () => {
    expect(prepare("[1].map((a) => { await a })")).toMatchObject({
      hint: "Make the function around this await async.",
    });
    expect(prepare("function f() { await a }\nreturn f()")).toMatchObject({
      hint: "Make the function around this await async.",
    });
  });

  it("X5 nesting beyond the bound, by brackets and by syntax", () => {
    const message = "the program is nested too deeply: more than 400 levels";
    expect(rejected("(".repeat(401))).toEqual({ code: "syntax_error", message, at: 400 });
    expect(rejected(`return ${"[".repeat(401)}${"]".repeat(401)}`)).toEqual({ code: "syntax_error", message, at: 407 });
    expect(rejected(`\`${"${`".repeat(401)}`)).toEqual({ code: "syntax_error", message, at: 1_202 });
    expect(rejected(`${")".repeat(10)}${"(".repeat(405)}`)).toEqual({ code: "syntax_error", message, at: 410 });
    expect(rejected(`return ${"!".repeat(500)}1`)).toMatchObject({ code: "syntax_error", message });
    expect(rejected(`return ${"a=>".repeat(500)}1`)).toMatchObject({ code: "syntax_error", message });
    expect(rejected(`return ${"!".repeat(50_000)}1`)).toMatchObject({ code: "syntax_error", message });
    expect(prepare(`return ${"[".repeat(200)}${"]".repeat(200)}`).ok).toBe(true);
    expect(prepare(`return "${"(".repeat(1_000)}"`).ok).toBe(true);
    expect(prepare(`return \`${"(".repeat(1_000)}\${"}"}${"{".repeat(1_000)}\``).ok).toBe(true);
    expect(prepare(`// ${"(".repeat(1_000)}\n/* ${"{".repeat(1_000)} */ return 1`).ok).toBe(true);
    expect(prepare(`return ${'"a" + '.repeat(1_000)}"b"`).ok).toBe(true);
    expect(prepare(`return a${".b".repeat(1_000)}`).ok).toBe(true);
    expect(prepare(`${"if (a) b(); else ".repeat(300)}c()`).ok).toBe(true);
  });
});

describe("properties of any text", () => {
  const piece = fc.constantFrom(
    ..."() => {} ; , . : ? ! a b1 await return async function class { } ( ) [ ] ` ${ ' \" // /* */ / < > = + - `` ``` ```ts import export default from type interface enum namespace using const let as \n \r\n \u2028 \\ @ # \uFEFF \0".split(
      " ",
    ),
    " ",
    "\ud800",
  );

  it("X1 a text of which the parser makes a tree with holes does not parse", () => {
    for (const text of ["; namespace return", "; namespace const", "function f() { namespace return }"]) {
      expect(prepare(text)).toMatchObject({ ok: false, code: "syntax_error" });
    }
  });

  it("X1 X9 a place that the parser lost count of is found again", () => {
    expect(prepare("arguments\0")).toMatchObject({ ok: false, code: "syntax_error", offset: 9 });
    expect(prepare("const a = 1;\n  arguments\0 x")).toMatchObject({ ok: false, code: "syntax_error", offset: 24 });
  });

  it("X1 every text is prepared or refused with a message, and a refusal's place lies in the text", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" ")),
    );
    fc.assert(
      fc.property(texts, (source) => {
        const prepared = prepare(source);
        if (prepared.ok) return;
        expect(prepared.message).not.toBe("");
        if (prepared.offset !== undefined) expect(prepared.offset).toBeLessThanOrEqual(source.length);
      }),
      { numRuns: 3_000 },
    );
  });

  it("X9 what is taken over leads back to where it came from", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const source = pieces.join(" ");
        const prepared = prepare(source);
        if (!prepared.ok) return;
        const assembled = assemble(source, prepared.plan);
        expect(assembled.text).toBe(prepared.text);
        for (const { out, source: from, length } of assembled.pieces) {
          for (let index = 0; index < length; index += 1) {
            expect(assembled.text[out + index]).toBe(source[from + index]);
            expect(originOf(assembled, prepared.plan, out + index)).toBe(from + index);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("X9 wrapping moves no line", () => {
    const statement = fc.constantFrom(
      "const a0 = 1;",
      "// note",
      "",
      "  f(1)",
      "export const b = 2",
      "type T = 1",
      "`a\nb`",
      "/*\n*/ 1",
    );
    const ends = fc.constantFrom("\n", "\r\n", "\r", "\u2028", "\u2029");
    fc.assert(
      fc.property(fc.uniqueArray(statement), ends, (statements, end) => {
        const source = statements.join(end);
        const prepared = prepare(source);
        if (!prepared.ok) return;
        const suffix = prepared.plan.suffix.length;
        expect(lineStarts(prepared.text.slice(0, -suffix)).length).toBe(lineStarts(source).length);
      }),
    );
  });

  it("X9 places and offsets are two views of one thing", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "bc", "\n", "\r\n", "\r", "\u2028", "\u2029")), (parts) => {
        const text = parts.join("");
        const starts = lineStarts(text);
        for (let offset = 0; offset <= text.length; offset += 1)
          expect(offsetAt(starts, positionAt(starts, offset))).toBe(offset);
      }),
    );
  });
});
