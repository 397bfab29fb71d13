// Texts that are slow, deep or long to parse.
import type { Hostile } from "./range.ts";

const room = 60_000;
const fill = (unit: string): string => unit.repeat(Math.floor(room / unit.length));
const nest = (open: string, middle: string, close: string): string => {
  const depth = Math.floor(room / (open.length + close.length));
  return open.repeat(depth) + middle + close.repeat(depth);
};
const row = (threat: string, code: string, ends: Hostile["ends"]): Hostile => ({ threat, code, ends });

export const bombs: readonly Hostile[] = [
  row("64 KB of braces", "{".repeat(65_536), "syntax_error"),
  row("parentheses", `return ${nest("(", "1", ")")}`, "syntax_error"),
  row("arrays", `return ${nest("[", "", "]")}`, "syntax_error"),
  row("objects", `return ${nest("{a:", "1", "}")}`, "syntax_error"),
  row("patterns of objects", `const ${nest("{a:", "b", "}")} = x`, "syntax_error"),
  row("blocks", nest("{", ";", "}"), "syntax_error"),
  row("typed arrows", `return ${fill("(a: number): any => ")}1`, "syntax_error"),
  row("classes in classes", nest("class A { static a = ", "1", " }"), "syntax_error"),
  row("functions in functions", nest("function f() {", ";", "}"), "syntax_error"),
  row("members", `const a: any = {}; return a${fill("?.b")}`, "syntax_error"),
  row("templates in templates", `return ${nest("`${", "1", "}`")}`, "syntax_error"),
  row("elements in elements", `return ${nest("<div>", "", "</div>")}`, "syntax_error"),
  row("type arguments", `return f${fill("<")}`, "syntax_error"),
  row("type arguments in type arguments", `let a: ${nest("A<", "B", ">")}; return 1`, "syntax_error"),
  row("types of objects", `let a: ${nest("{ b: ", "1", " }")}; return 1`, "syntax_error"),
  row("types of arrays", `let a: any${fill("[]")}; return 1`, "syntax_error"),
  row("types of functions", `let a: ${fill("(a: any) => ")}void; return 1`, "syntax_error"),
  row("conditional types", `type A = ${fill("a extends b ? c : ")}d; return 1`, "value 1"),
  row("unions", `type A = ${fill("1 | ")}1; return 1`, "value 1"),
  row("calls that may be generic", `return ${fill("a<b>(")}`, "syntax_error"),
  row("casts", `return 1${fill(" as any")}`, "syntax_error"),
  row("non-null assertions", `return 1${fill("!")}`, "syntax_error"),
  row("operators", `return 1${fill("+1")}`, "syntax_error"),
  row("powers", `return 1${fill("**1")}`, "syntax_error"),
  row("commas", `return [${fill("1,")}].length`, "value 30000"),
  row("else after else", `${fill("if (0) 1; else ")}1; return 1`, "syntax_error"),
  row("labels", `${Array.from({ length: 9_000 }, (_, i) => `l${i}:`).join("")}1; return 1`, "syntax_error"),
  row("an identifier", `const ${fill("a")} = 1; return 1`, "value 1"),
  row("an identifier of escapes", `const ${fill(String.raw`\u{61}`)} = 1; return 1`, "value 1"),
  row("ten thousand imports", 'import "a";\n'.repeat(10_000), "import_not_available"),
  row(
    "ten thousand imports of types",
    Array.from({ length: 10_000 }, (_, i) => `import type A${i} from "a";`).join("\n"),
    "program_empty",
  ),
  row("a number", `return ${fill("9")}n > 1n`, "value true"),
  row("a regular expression in groups", `return /${nest("(", "a", ")")}/.test("a")`, "syntax_error"),
  row("a regular expression in classes", `return /${nest("[", "a", "]")}/v.test("a")`, "syntax_error"),
  row("a text in escapes", `return "${fill(String.raw`\u{1F600}`)}".length`, "value 13332"),
  row("a comment in comments", `${fill("/* ")}*/ return 1`, "value 1"),
  row("fences", fill("```\n"), "program_empty"),
  row("lines", `${fill("\n")}return 1`, "value 1"),
  row(
    "enums",
    `${Array.from({ length: 1_000 }, (_, i) => `enum A${i} { b = ${i} }`).join("\n")}\nreturn A7.b`,
    "value 7",
  ),
  row("namespaces in namespaces", `${nest("namespace A {", "export const b = 1", "}")}\nreturn 1`, "syntax_error"),
  row("decorators", `${fill("@a ")}class B {}`, "syntax_error"),
  row("a text over the limit", `return "${"x".repeat(1_048_576)}"`, "source_too_large"),
];
