import { expect, it, vi } from "vitest";
import { explainLoading } from "../../src/cli/load-failure.ts";
import { loadTools } from "../../src/cli/modules.ts";
import { cli, folderWith } from "./cli.ts";

async function loading(name: string, files: Readonly<Record<string, string>>, key = "tools"): Promise<string> {
  const at = folderWith({ ...files, "codecall.json": { [key]: `./${name}` } });
  const { code, stdout, stderr } = await cli(["run", "-", "--config", at("codecall.json")], "return 1");
  expect([code, stdout]).toEqual([2, ""]);
  return stderr.replaceAll(at(""), "FOLDER");
}

const stripping =
  "hint: the module is run by Node's own type stripping, which only takes types away: write an enum as a constant object, a namespace as a module, a parameter property as a field that the constructor sets\n";

it.each([
  [
    "an enum",
    "export const a = 1;\n  enum Color { Red }\n",
    `SyntaxError: TypeScript enum is not supported in strip-only mode\n  at ./tools.ts:2:3\n${stripping}`,
  ],
  [
    "a parameter property",
    "export class A { constructor(private x: number) {} }\n",
    `SyntaxError: TypeScript parameter property is not supported in strip-only mode\n  at ./tools.ts:1:38\n${stripping}`,
  ],
  [
    "a namespace",
    "export const a = 1;\nnamespace N { export const b = a; }\n",
    `SyntaxError: TypeScript namespace declaration is not supported in strip-only mode\n  at ./tools.ts:2:1\n${stripping}`,
  ],
  ["a throw on top", 'export const a = 1;\n  throw new Error("no database");\n', "no database\n  at ./tools.ts:2:9\n"],
  ["a throw of what is no error", 'throw "nothing";\n', "nothing\n"],
  [
    "a throw in a module of its own",
    'import { boom } from "./other.ts";\n\n boom();\n',
    "TypeError: no network\n  at ./tools.ts:3:2\n",
  ],
  ["a module that throws on top", 'import "./throws.ts";\n', "TypeError: no disk\n  at FOLDER/throws.ts:1:7\n"],
  [
    "a package that is not there",
    'import x from "no-such-package-here";\n',
    "Cannot find package 'no-such-package-here' imported from FOLDER/tools.ts\n",
  ],
  [
    "a type without import type",
    'import { Shape } from "./other.ts";\nexport const a: Shape = {};\n',
    "SyntaxError: The requested module './other.ts' does not provide an export named 'Shape'\n  at ./tools.ts:1:10\nhint: if that is a type, import it with `import type`: Node's own type stripping keeps every other import\n",
  ],
])("U1 a tools module with %s is told with its path as given, the reason and the place", async (_, text, message) => {
  const stderr = await loading("tools.ts", {
    "tools.ts": text,
    "other.ts": 'export function boom(): void {\n  throw new TypeError("no network");\n}\nexport interface Shape {}\n',
    "throws.ts": 'throw new TypeError("no disk");\n',
  });
  expect(stderr).toBe(`error: tools: ./tools.ts cannot be loaded: ${message}`);
});

it("U1 a module of plain JavaScript or TypeScript that does not parse is told with line and column", async () => {
  expect(await loading("tools.mjs", { "tools.mjs": "export const a = 1;\nexport const = 2;\n" })).toBe(
    "error: tools: ./tools.mjs cannot be loaded: SyntaxError: Unexpected token '='\n  at ./tools.mjs:2:14\n",
  );
  expect(await loading("tools.ts", { "tools.ts": "export const a = 1;\nexport const = 2;\n" })).toMatch(
    /^error: tools: \.\/tools\.ts cannot be loaded: SyntaxError: .*\n {2}at \.\/tools\.ts:2:14\n$/,
  );
});

it("U1 a module that is not there is told by its path as given, of tools and of the policy", async () => {
  expect(await loading("none.ts", {})).toBe("error: tools: ./none.ts cannot be loaded: there is no such file\n");
  expect(await loading("none.ts", {}, "policy")).toBe(
    "error: policy: ./none.ts cannot be loaded: there is no such file\n",
  );
});

it("U1 doctor tells of a module that cannot be loaded, and what to do", async () => {
  const at = folderWith({ "tools.ts": "enum A {}\n", "codecall.json": { tools: "./tools.ts" } });
  const { code, stdout } = await cli(["doctor", "--config", at("codecall.json")]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `fail tools: tools: ./tools.ts cannot be loaded: SyntaxError: TypeScript enum is not supported in strip-only mode\n  at ./tools.ts:1:1\n${stripping}`,
  );
});

const hostile = (expression: string): string => `
const error = new Error("x");
for (const key of ["message", "name", "stack", "code"]) Object.defineProperty(error, key, { get() { throw 1; } });
throw ${expression};
`;

it.each([
  ["error", "1"],
  ["new Proxy(error, { getPrototypeOf() { throw 2; } })", "1"],
  ["{ toString() { throw 3; } }", "unprintable error"],
  ["undefined", "undefined"],
])("U1 a module that throws %s is named", async (expression, reason) => {
  expect(await loading("tools.mjs", { "tools.mjs": hostile(expression) })).toBe(
    `error: tools: ./tools.mjs cannot be loaded: ${reason}\n`,
  );
});

it("U1 an error that throws when it is read is explained all the same", async () => {
  const error = new Proxy(new SyntaxError("x"), {
    get() {
      throw new Error("no look");
    },
  });
  const path = { given: "./tools.mjs", file: "/none/tools.mjs" };
  expect(await explainLoading(path, error)).toEqual({ reason: "unprintable error" });
});

it("U1 a module whose exports throw is named", async () => {
  const text = `export default new Proxy({}, { has() { throw new Error("no look"); } });`;
  expect(await loading("tools.mjs", { "tools.mjs": text })).toMatch(
    /^error: tools: \.\/tools\.mjs cannot be loaded: no look\n/,
  );
});

it("U1 a module that does not load in its time is a configuration fault", async () => {
  const at = folderWith({ "tools.mjs": "await new Promise(() => {});" });
  vi.useFakeTimers();
  try {
    const loaded = loadTools({ given: "./tools.mjs", file: at("tools.mjs") }, new AbortController().signal);
    const failed = loaded.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await failed).toMatchObject({
      code: "invalid_config",
      message: "tools: ./tools.mjs did not finish loading in 30 s",
    });
  } finally {
    vi.useRealTimers();
  }
});
