import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Fault } from "../../src/errors.ts";
import { type Compiler, createCompiler } from "../../src/runtime/compiler.ts";
import { childrenOf, gone, readsProcesses } from "./processes.ts";
import { compilerPath, evaluate, startCompiler } from "./programs.ts";

// Babel tries each `a<b>(` in two ways, so that the time doubles with each.
const hanging = "a<b>(".repeat(24);
const shared = startCompiler({ sourceBytes: 1_048_576 });
afterAll(() => shared.close());

const value = async (source: string): Promise<unknown> => {
  const evaluated = await evaluate(shared, source);
  return "value" in evaluated ? evaluated.value : evaluated;
};

describe("forms of a program", () => {
  const forms: readonly (readonly [string, unknown])[] = [
    ["return 7", 7],
    ["return await tools.echo(7)", 7],
    ["const a = await tools.echo(7);\na", 7],
    ["7", 7],
    ['"seven"', "seven"],
    ["tools.echo(7)", 7],
    ["const a: number = 7; return a", 7],
    ["const a: number = 7\na", 7],
    ["const a = 7;", undefined],
    ["if (true) return 7;\n8", 7],
    ["let a = 0;\nfor (const b of [3, 4]) a += b;\na;;", 7],
    ["(async () => { return 7 })()", 7],
    ["(/* x */ async function () { return 7 })()", 7],
    ["await (async () => 7)()", 7],
    ["async () => { return 7 }", 7],
    ["() => 7", 7],
    ["(async () => 7);", 7],
    ["function () { return 7 }", 7],
    ["async function () { return 7 };", 7],
    ["const b = 7;\nasync (): Promise<number> => b", 7],
    ["async (tools) => tools.echo(7)", 7],
    ["async ({ tools }: any) => tools.echo(7)", 7],
    ["function main() { return 7 }", 7],
    ["async function main() { return 7 }\n", 7],
    ["async function main() { return 7 }\nmain()", 7],
    ["async function main() { return 7 }\nconst a = await main();\na + 1", 8],
    ["main();\nfunction main() { return 7 }", 7],
    ["const main = async () => { return 7 }", 7],
    ["const main: () => Promise<number> = async () => 7;", 7],
    ["async function run(tools) { return tools.echo(7) }", 7],
    ["async function run({ tools }) { return tools.echo(7) }", 7],
    ["const a = 7;\nfunction help() { return a }\nasync function run() { return help() }", 7],
    ["console.log(1);\nasync function main() { return 7 }", 7],
    ["async function collect() { return 7 }", 7],
    ["const a = 7;\nconst collect = () => a", 7],
    ["const a = await tools.echo(7);\nconst unused = (b: number) => b", undefined],
    ["function main() { return 8 }\nreturn 7", 7],
    ["function main() { return 8 }\nif (1 > 2) return 7;", undefined],
    ["for (const a of [1]) tools.echo(a);\nfunction collect() { return 8 }", undefined],
    ["export default async function () { return 7 }", 7],
    ["export default async function load() { return help() }\nfunction help() { return 7 }", 7],
    ["export default async () => help();\nconst help = () => 7;", 7],
    ["export default 7", 7],
    ["export default { a: 7 }", { a: 7 }],
    ["const main = () => 7;\nexport default main;", 7],
    ["const a = 7;\nexport default a", 7],
    ["export { main as default };\nasync function main() { return 7 }", 7],
    ["export = 7", 7],
    ["export const a = 7;\nexport async function main() { return a }", 7],
    ["export { a };\nconst a = 7;\na", 7],
    ["{ a: 7 }", { a: 7 }],
    ['{ "a": [7], b: { c: 1 } }', { a: [7], b: { c: 1 } }],
    ["{ const a = 7; }", undefined],
    ['"use strict";\nreturn 7', 7],
    ["\uFEFFreturn 7", 7],
    ["#!/usr/bin/env -S npx tsx\nreturn 7", 7],
    ["\r\nconst a = 7\r\na\r\n", 7],
    ["const a = 7 // note\na // note", 7],
    ["let a = 8, b = 0;\nreturn b<!--a", false],
    ["return `a\u2028b`.length as number", 3],
    ['import type { A } from "a";\nexport type { B } from "b";\nimport { type C } from "c";\nreturn 7', 7],
  ];

  it.each(forms)("X1 (E3, E8, E12, E13) %j", async (source, expected) => {
    expect(await value(source)).toEqual(expected);
  });

  it.each(forms.filter(([source]) => !source.startsWith("#!") && !source.startsWith("\uFEFF")))(
    "X1 in a fence: %j",
    async (source, expected) => {
      expect(await value(`Here it is.\n\n~~~~ts\n${source}\n~~~~\n\nIt gives the value.`)).toEqual(expected);
    },
  );

  it("X1 (E2) the right block of several, with backticks in a string", async () => {
    expect(await value('prose\n```\nnot code\n```\n\n```js\nreturn "a ``` b"\n```')).toBe("a ``` b");
    expect(await value("```ts\nreturn 1\n```\nBetter:\n```ts\nreturn 7\n```\nOutput:\n```json\n7\n```")).toBe(7);
    expect(await value("Program:\n```ts\nreturn 7\n```")).toBe(7);
    expect(await value("```ts\nreturn 7")).toBe(7);
  });

  it("X1 a program that holds fences itself is not cut", async () => {
    expect(await value("const a = `\n\\`\\`\\`js\nb\n\\`\\`\\`\n`;\na.length")).toBe(13);
    expect(await value("const a = ['```ts', 'return 1', '```'].join('\\n');\na.length")).toBe(18);
    expect(await value("/*\n```ts\nreturn 1\n```\n*/\nreturn 7")).toBe(7);
    expect(await value("```ts\n/*\n```ts\nreturn 1\n```\n*/\nreturn 7\n```")).toBe(7);
    expect(await value("/*\n```ts\nreturn 1\n```\n*/\nconst a = ;")).toMatchObject({
      failure: { code: "syntax_error", line: 6, column: 11 },
    });
  });

  it("X1 a text that would close the wrapper is a syntax error", async () => {
    for (const source of ["return 1;\n});\n(async () => {", "}); tools.echo(1); (async () => {", "}"]) {
      expect(await value(source)).toMatchObject({ failure: { code: "syntax_error", message: "Unexpected token" } });
    }
  });
});

describe("what needs compiling", () => {
  it.each<readonly [string, unknown]>([
    ["enum A { b = 2, c } return [A.b, A.c, A[2]]", [2, 3, "b"]],
    ["const enum A { b = 'x' } return A.b", "x"],
    ["namespace A { export const b = 1; export namespace C { export const d = 6 } }\nreturn A.b + A.C.d", 7],
    ["namespace A { export const b = 7 }\nA.b", 7],
    ["namespace A { export const b = 7 }\nimport c = A.b;\nasync function main() { if (c) { return c } }", 7],
    ["namespace A { export const b = 7 }\nif (A.b > 1) return;\nreturn 1", undefined],
    ["namespace A { export function f() { return 7 } }\nreturn ( // note\n  A.f()\n)", 7],
    [
      "class A { constructor(private readonly b: number, public c = 1) {} sum() { return this.b + this.c } }\nnew A(6).sum()",
      7,
    ],
    [
      "abstract class A { abstract b(): number; c() { return this.b() } }\nclass B extends A { override b() { return 7 } }\nnew B().c()",
      7,
    ],
    ["function f(a: string): void;\nfunction f(a: any) { return a }\nreturn f(7 as any)", 7],
    ["const a = { b: 7 } satisfies { b: number };\na.b", 7],
    ["const f = <T,>(a: T): T => a;\nf<number>(7)", 7],
    ["let a!: number; a = 7; return a!", 7],
    ["class A { accessor b = 7 }\nnew A().b", 7],
    ["class A<T> { #b?: T; declare c: T; static d = 7 }\nA.d", 7],
    ["declare const x: number;\ndeclare global { var y: number }\ndeclare module 'z' {}\nreturn 7", 7],
    ["type A = { b: 1 };\ninterface C extends A {}\nconst c = 7 as unknown as C;\nc", 7],
    [
      "const log: string[] = [];\n{ using a = { [Symbol.dispose]() { log.push('gone') } }; log.push('here'); }\nlog",
      ["here", "gone"],
    ],
    [
      "const log: string[] = [];\n{ await using a = { async [Symbol.asyncDispose]() { log.push('gone') } }; }\nreturn log",
      ["gone"],
    ],
    ["namespace N { export const v = 7 }\nusing a = { [Symbol.dispose]() {} };\nreturn N.v", 7],
  ])("X1 (E9) %j", async (source, expected) => {
    expect(await value(source)).toEqual(expected);
  });

  it("X1 (E7) comments in odd places", async () => {
    for (const source of [
      "(/* a */ async /* b */ function /* c */ () /* d */ { return /* e */ 7 })()",
      "return (/* a */ (/* b */ 7 as /* c */ number /* d */))",
      "const f = /* a */ async /* b */ <T,>(/* c */ a: T /* d */) /* e */ : /* f */ Promise<T> /* g */ => /* h */ a; return f(7)",
      "return /* a */ (\n// b\n7 as number // c\n) // d",
    ]) {
      expect([source, await value(source)]).toEqual([source, 7]);
    }
  });

  it("X1 the script is one expression, a function without parameters", async () => {
    for (const source of [
      "return 7",
      "return 7 as number",
      "namespace A { export const b = 1 }\nusing c = null;\nreturn 7",
    ]) {
      const compiled = await shared.compile(source);
      if (!compiled.ok) throw new Error(compiled.failure.message);
      expect(Object.isFrozen(compiled)).toBe(true);
      expect(compiled.source).toBe(source);
      expect(compiled.js.startsWith("(async () => {")).toBe(true);
      expect(await new Script(`[${compiled.js}][0]()`).runInNewContext()).toBe(7);
    }
  });

  it("X1 lone surrogates become the replacement character in every form", async () => {
    expect(await value("return '\ud800'")).toBe("\ufffd");
    expect(await value("return '\ud800' as string")).toBe("\ufffd");
  });
});

describe("failures have a place", () => {
  it("X1 an import in a form that is only an expression", async () => {
    expect(await evaluate(shared, 'async function () {\n  await import("fs");\n}')).toMatchObject({
      failure: { code: "import_not_available", line: 2, column: 9 },
    });
  });

  it("X9 a syntax error, with the lines around it", async () => {
    const { failure } = await evaluate(shared, "const a = 1;\nconst b = 2;\nconst c = (a + ;\nreturn c;\n");
    expect(failure).toEqual({
      code: "syntax_error",
      message: "Unexpected token",
      line: 3,
      column: 16,
      frame: "  1 | const a = 1;\n  2 | const b = 2;\n> 3 | const c = (a + ;\n    |                ^\n  4 | return c;",
    });
  });

  it("X9 in a fence the lines are those of the text that was given", async () => {
    const { failure } = await evaluate(shared, "Do this:\n\n```ts\nconst a = ;\n```\n");
    expect(failure).toMatchObject({ code: "syntax_error", line: 4, column: 11 });
    expect(await evaluate(shared, "```ts\n\nimport a from 'a'\n```")).toMatchObject({
      failure: { code: "import_not_available", line: 3, column: 1 },
    });
  });

  it("X9 what V8 alone refuses", async () => {
    expect(await evaluate(shared, "const a = 1;\nreturn /(/.test('a')")).toMatchObject({
      failure: {
        code: "syntax_error",
        message: "Invalid regular expression: /(/: Unterminated group",
        line: 2,
        column: 8,
      },
    });
    expect(await evaluate(shared, "const a: number = 1;\nreturn /(/.test('a')")).toMatchObject({
      failure: { code: "syntax_error", line: 2, column: 8 },
    });
  });

  it("X9 an unfinished program", async () => {
    expect(await evaluate(shared, "async function f() {\n  return 1;\n")).toMatchObject({
      failure: { code: "syntax_error", line: 3, column: 1 },
    });
    expect(await evaluate(shared, "return `abc")).toMatchObject({
      failure: { code: "syntax_error", message: "Unterminated template.", line: 1 },
    });
  });

  it("X5 a text over the limit is not compiled", async () => {
    const compiler = startCompiler({ sourceBytes: 10 });
    try {
      expect(await compiler.compile("return 'é'")).toEqual({
        ok: false,
        failure: {
          code: "source_too_large",
          message: "the program text has 11 bytes, over the limit sourceBytes of 10",
          hint: "Write a shorter program, or split it into several.",
        },
      });
      expect((await compiler.compile("return 'a'")).ok).toBe(true);
    } finally {
      await compiler.close();
    }
  });
});

describe("hostile texts", () => {
  it("X12 bombs end in a value or a failure, and the compiler lives", async () => {
    const units = [
      "{",
      "(",
      "[",
      "a=>",
      "!",
      "a?b:",
      "<T>",
      "`${",
      "a.",
      "a+",
      "f(function(){",
      "if(a);else ",
      "new ",
      "({a:",
      "type A = [",
      "@a ",
      "a;",
      "//",
      "```\n",
      "\0",
    ];
    for (const unit of units) {
      const result = await shared.compile(unit.repeat(Math.floor(65_536 / unit.length)));
      if (!result.ok)
        expect([unit, result.failure.code]).toEqual([
          unit,
          expect.stringMatching(/^(?:syntax_error|program_empty|compile_failed)$/),
        ]);
      expect(await value("return 7")).toBe(7);
    }
    for (const source of [
      `return [${"{ a: 1 },".repeat(110_000)}].length`,
      `const a: number[] = [${"1,".repeat(500_000)}]; return a.length`,
    ]) {
      const result = await shared.compile(source);
      if (!result.ok) expect(result.failure.code).toBe("compile_failed");
    }
    expect(await value("return 7")).toBe(7);
  });

  it("X12 any text gives a result or a failure of a known code", async () => {
    const known = ["program_empty", "not_a_program", "syntax_error", "import_not_available"];
    const part = fc.constantFrom(
      "const a: number = 1",
      "a",
      "await b",
      "(",
      ")",
      "{",
      "}",
      "`",
      "/",
      "<",
      ">",
      "=>",
      "enum A { b }",
      "namespace C { }",
      ";",
      "\n",
      "return",
      "export",
      "class D { private e = 1 }",
      "using f = g",
      "\u2028",
      "\ud800",
      "#",
      "@",
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (source) => {
        const result = await shared.compile(source);
        if (!result.ok)
          expect({ source, ...result.failure }).toMatchObject({ code: expect.toBeOneOf(known) as string });
        else expect(() => new Script(result.js)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it("X9 an error keeps its line, whatever stands around it", async () => {
    const line = fc.constantFrom(
      "const a = 1;",
      "",
      "// note",
      "interface B { c: 1 }",
      "let d: number = 2;",
      "enum E { f }",
      "/* g\n*/",
      "`h\ni`;",
      "type J<K> = K;",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(line),
        fc.uniqueArray(line),
        fc.constantFrom("\n", "\r\n"),
        async (before, after, end) => {
          const kept = after.filter((text) => !before.includes(text));
          const head = before.map((text) => text.replaceAll("\n", end) + end).join("");
          const { error } = await evaluate(shared, `${head}  null.x;${end}${kept.join(end)}`);
          expect([error?.message, error?.line, error?.column]).toEqual([
            "Cannot read properties of null (reading 'x')",
            head.split(end).length,
            8,
          ]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("the supervised process", () => {
  const open: Compiler[] = [];
  const started = (options: { timeoutMs?: number } = {}): Compiler => {
    const compiler = startCompiler(options);
    open.push(compiler);
    return compiler;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((compiler) => compiler.close()));
  });

  it("X12 a text that hangs the compiler fails alone, and is refused without another try", async () => {
    const compiler = started({ timeoutMs: 1_000 });
    const texts = ["return 1", hanging, "return 2", `${hanging}1`, "return 3", "return 4", "return 5"];
    const results = await Promise.all(texts.map((text) => compiler.compile(text)));
    const failure = {
      code: "compile_failed",
      message: "the compiler gave no answer for this text within 1000 ms",
      hint: "Write it differently: less nesting, smaller expressions, simpler types. The same text is not tried again.",
    };
    expect(results.map((result) => (result.ok ? "ok" : result.failure))).toEqual([
      "ok",
      failure,
      "ok",
      failure,
      "ok",
      "ok",
      "ok",
    ]);
    expect(await compiler.compile(hanging)).toEqual({
      ok: false,
      failure: { ...failure, message: "the compiler gave no answer for this text" },
    });
  });

  it.runIf(readsProcesses)("X12 texts that were in a process that died are compiled in another", async () => {
    const compiler = started();
    await compiler.ready;
    expect((await compiler.compile("return 0 as number")).ok).toBe(true);
    const before = childrenOf(process.pid, /compiler\.js/);
    const results = Promise.all(
      Array.from({ length: 12 }, (_, index) => compiler.compile(`return ${index} as number`)),
    );
    for (const pid of before) process.kill(pid, "SIGKILL");
    expect((await results).map((result) => result.ok)).toEqual(Array.from({ length: 12 }, () => true));
    await gone(before);
  });

  it("X19 closing ends what is pending, leaves no process and is harmless twice", async () => {
    const others = readsProcesses ? childrenOf(process.pid, /compiler\.js/) : [];
    const compiler = started();
    await compiler.ready;
    const own = readsProcesses ? childrenOf(process.pid, /compiler\.js/).filter((pid) => !others.includes(pid)) : [];
    const services = own.flatMap((pid) => childrenOf(pid, /esbuild/));
    expect([own.length, services.length]).toEqual(readsProcesses ? [1, 1] : [0, 0]);
    const pending = compiler.compile(hanging).then(
      () => "compiled",
      (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.message}` : error),
    );
    await compiler.close();
    await compiler.close();
    expect(await pending).toBe("runtime_closed: the runtime was closed");
    await expect(compiler.compile("return 1")).rejects.toMatchObject({
      code: "runtime_closed",
      message: "the runtime is closed",
    });
    expect(own.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    await gone(services);
  });

  it.runIf(readsProcesses)("X12 a text is not blamed for a process that somebody else ended", async () => {
    const others = childrenOf(process.pid, /compiler\.js/);
    const compiler = started();
    await compiler.ready;
    const own = childrenOf(process.pid, /compiler\.js/).filter((pid) => !others.includes(pid));
    for (const pid of own) process.kill(pid, "SIGSTOP");
    const result = compiler.compile("return 1 as number");
    for (const pid of own) process.kill(pid, "SIGKILL");
    expect((await result).ok).toBe(true);
  });

  it("X19 closing before the process is ready", async () => {
    const compiler = started();
    const [refused] = await Promise.allSettled([compiler.compile("return 1"), compiler.close()]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "runtime_closed" } });
    await expect(compiler.ready).rejects.toMatchObject({ code: "runtime_closed" });
  });

  it("X12 a process that cannot start is told, with what it was", async () => {
    const missing = createCompiler({
      nodePath: process.execPath,
      compilerPath: "/nowhere/compiler.js",
      timeoutMs: 1_000,
    });
    open.push(missing);
    const [refused, ready] = await Promise.allSettled([missing.compile("return 1"), missing.ready]);
    const reason = {
      code: "sandbox_unavailable",
      message: "the compiler process could not be started: Error: Cannot find module '/nowhere/compiler.js'",
      hint: `It runs ${process.execPath} /nowhere/compiler.js and needs Node 24 or newer.`,
    };
    expect([refused, ready]).toMatchObject([{ reason }, { reason }]);
    await expect(missing.compile("return 1")).rejects.toMatchObject({ code: "sandbox_unavailable" });
  });

  it.runIf(readsProcesses)("X18 the process and esbuild's own die with a host that was killed", async () => {
    const host = spawn(
      process.execPath,
      [fileURLToPath(new URL("fixtures/compiler-host.ts", import.meta.url)), compilerPath],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(host.stdout, "data");
    const children = childrenOf(host.pid ?? 0, /compiler\.js/);
    const grandchildren = children.flatMap((pid) => childrenOf(pid, /esbuild/));
    expect([children.length, grandchildren.length]).toEqual([1, 1]);
    host.kill("SIGKILL");
    await gone([...children, ...grandchildren]);
  });
});
