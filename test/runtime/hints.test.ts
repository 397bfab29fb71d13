import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { hintFor } from "../../src/runtime/hints.ts";
import { evaluate, startCompiler } from "./programs.ts";
import { countSearches } from "./searches.ts";

const compiler = startCompiler();
afterAll(() => compiler.close());

const hint = async (source: string): Promise<string | undefined> => (await evaluate(compiler, source)).error?.hint;
const globals =
  "Globals: AbortController, AbortSignal, DOMException, Event, EventTarget, TextDecoder, TextEncoder, ToolError, URL, URLSearchParams, " +
  "atob, btoa, clearInterval, clearTimeout, console, crypto, performance, queueMicrotask, results, setInterval, setTimeout, show, state, structuredClone, tools.";
const tools = 'Tools: tools.echo, tools.get_page, tools["read-file"].';

describe("unknown names", () => {
  it("X9 (I2) the list of what there is", async () => {
    expect(await hint("return await zzz.list()")).toBe(`${tools} ${globals}`);
  });

  it("X9 (E12) the tool under its right name", async () => {
    expect(await hint("return await echo(1)")).toBe(`Did you mean tools.echo? ${tools} ${globals}`);
    expect(await hint("async function run() { return await functions.echo({}) }")).toBe(
      `Did you mean tools.echo? ${tools} ${globals}`,
    );
    expect(await hint("return await getPage(1)")).toBe(`Did you mean tools.get_page? ${tools} ${globals}`);
    expect(await hint("return await read_file(1)")).toBe(`Did you mean tools["read-file"]? ${tools} ${globals}`);
    expect(await hint("const a: number = 1;\nreturn await host.readFile(a)")).toBe(
      `Did you mean tools["read-file"]? ${tools} ${globals}`,
    );
  });

  it("X9 globals that are spelt nearly so", async () => {
    expect(await hint("return strcturedClone({})")).toBe(`Did you mean structuredClone? ${tools} ${globals}`);
    expect(await hint("return await Promis.all([])")).toBe(`Did you mean Promise? ${tools} ${globals}`);
    expect(await hint("print(1)")).toBe(`Did you mean console.log? ${tools} ${globals}`);
  });

  it("X9 a bounded list of many tools, and none", () => {
    const failed = { name: "ReferenceError", message: "qq is not defined", source: "qq" };
    const many = Array.from({ length: 40 }, (_, index) => `tool_${index}`);
    expect(hintFor(failed, { tools: many, globals: ["tools"] })).toBe(
      `Tools: ${many
        .slice(0, 12)
        .map((name) => `tools.${name}`)
        .join(", ")} and 28 more. Globals: tools.`,
    );
    expect(hintFor(failed, { tools: [], globals: ["tools"] })).toBe("There are no tools here. Globals: tools.");
  });
});

describe("values that are not what was expected", () => {
  const missing = (call: string): string =>
    `Perhaps an await is missing: ${call}(...) gives a promise, so write await ${call}(...).`;

  it("X9 (G8) a missing await", async () => {
    expect(await hint("const page = tools.get_page({});\nreturn page.items.map((a) => a);")).toBe(
      missing("tools.get_page"),
    );
    expect(await hint("const page: any = tools.get_page({});\nreturn page.map((a: any) => a);")).toBe(
      missing("tools.get_page"),
    );
    expect(await hint("const { items } = tools.get_page({});\nreturn items.length;")).toBe(missing("tools.get_page"));
    expect(await hint('const text = tools["get_page"]({});\nreturn text.trim();')).toBe(missing('tools["get_page"]'));
    expect(await hint("const page = tools.get_page({});\nfor (const a of page) {}")).toBe(missing("tools.get_page"));
    expect(await hint("return tools.get_page({}).items.map((a) => a);")).toBe(missing("tools.get_page"));
  });

  it("X9 (G8) a missing await, wherever the variable is assigned", async () => {
    for (const before of ["const", "let", "var"]) {
      expect(await hint(`${before} page =\n  tools.get_page({});\nreturn page.map((a) => a);`)).toBe(
        missing("tools.get_page"),
      );
    }
    expect(
      await hint("let outlet = 1; const { a, items = 1 } = {};\nconst items2 = tools.get_page ({});\nitems2.map(1)"),
    ).toBe(missing("tools.get_page"));
    expect(await hint("const page = await tools.get_page({}); const all = tools.echo({});\nall.map(1)")).toBe(
      missing("tools.echo"),
    );
    expect(await hint("const pages = tools.get_page({}); const page = {};\npage.map(1)")).toBe(undefined);
    expect(await hint("const { pages } = tools.get_page({}); const page = {};\npage.map(1)")).toBe(undefined);
    expect(await hint("let page; page = tools.get_page({});\npage.map(1)")).toBe(undefined);
  });

  it("X9 an undefined field", async () => {
    expect(await hint("const page = await tools.get_page({});\nreturn page.data.rows;")).toBe(
      "page.data is undefined here; log Object.keys(page) first to see which fields there are.",
    );
    expect(await hint("const page = await tools.get_page({});\nreturn page.items[0].name;")).toBe(
      "page.items[0] is undefined here; log Object.keys(page.items) first to see which fields there are.",
    );
    expect(await hint("let a;\nreturn a.b;")).toBe("a is undefined here; log it first to see what it holds.");
    expect(await hint("const f = () => null;\nreturn f().b;")).toBe(
      "What .b is read from is null here; log it first to see what it holds.",
    );
    expect(await hint("null.b")).toBe(undefined);
  });

  it("X9 another kind of value from a tool that was awaited", async () => {
    expect(await hint("const page = await tools.get_page({});\nreturn page.map((a) => a);")).toBe(
      "page may be of another kind than expected, as text or as an object that holds the list: log typeof page and page itself to see what tools.get_page gave.",
    );
    expect(await hint("const page = await tools.echo('a');\nreturn page.map((a) => a);")).toBe(
      "page may be of another kind than expected, as text or as an object that holds the list: log typeof page and page itself to see what tools.echo gave.",
    );
  });

  it("X9 JSON that is a value already, and text that is no object", async () => {
    expect(await hint("const page = await tools.echo({ a: 1 });\nreturn JSON.parse(page).a;")).toBe(
      "What JSON.parse was given may be a value already: use it without JSON.parse, and await it if a tool gave it.",
    );
    expect(await hint("const page = await tools.echo('{}');\nreturn 'a' in page;")).toBe(
      "The right side of `in` is no object here, perhaps text; log it first, and JSON.parse it if it holds JSON.",
    );
  });

  it("X9 no hint where nothing is known", async () => {
    expect(await hint("throw new Error('a is not defined by the plan')")).toBe(undefined);
    expect(await hint("const a = 1;\na.b()")).toBe(undefined);
    expect(await hint("const a = { b: [1] };\na.b.trim()")).toBe(undefined);
    expect(await hint("const a = 1;\na = 2")).toBe(undefined);
  });
});

describe("hostile texts", () => {
  const messages = [
    "x is not defined",
    "x.foo is not a function",
    "tools.x.foo is not a function",
    "x is not iterable",
    "Cannot read properties of undefined (reading 'foo')",
    "Cannot set properties of null (setting 'foo')",
  ];
  const units = [
    "x ",
    "let x:",
    "let x = ",
    "const {x",
    "const { x } = await tools.a",
    "tools.a(",
    "tools.a(()",
    "tools['",
    "tools.a().x = (",
    "const x = tools['",
    "x=tools.a(",
    "let tools ",
    "await ",
    "x  .",
    "a.",
    "a[0]",
    " ",
    "\t\t(",
    "\n",
    "\r\n",
    "\u2028x",
    "😀",
    "\ud83d",
  ];
  const available = { tools: ["echo", "get_page"] };
  const source = fc
    .array(fc.tuple(fc.constantFrom(...units), fc.integer({ min: 1, max: 32_000 })), { minLength: 1, maxLength: 4 })
    .map((parts) =>
      parts
        .map(([unit, count]) => unit.repeat(count))
        .join("")
        .slice(0, 64_000),
    );
  const at = fc.option(
    fc.record({ line: fc.integer({ min: 1, max: 40_000 }), column: fc.integer({ min: 1, max: 70_000 }) }),
    {
      nil: undefined,
    },
  );
  const failure = (message: string, text: string, place: { line: number; column: number } | undefined) => ({
    name: "TypeError",
    message,
    source: text,
    ...(place === undefined ? {} : { at: place }),
  });

  it.each([
    ["names in braces", `const x = {}; /* const {${"x ".repeat(32_000)} */\nx.foo()`],
    ["types without an end", `/* ${"let x:".repeat(11_000)} */\nx.foo()`],
    ["blanks before a call", `${" ".repeat(60_000)}tools.a()\nx.foo()`],
    ["calls in calls", `x.foo(${"tools.a(".repeat(8_000)}`],
    ["calls that are assigned", "const y = tools.a({});".repeat(3_000)],
    ["one name", `x.${"y".repeat(60_000)}`],
  ])("X5 X9 %s: the work does not grow with the text beyond one pass over it", (_, text) => {
    for (const message of messages) {
      for (const column of [1, 6, 30_000]) {
        const line = text.includes("\n") ? 2 : 1;
        const one = countSearches(() => hintFor(failure(message, text, { line, column }), available));
        const two = countSearches(() => hintFor(failure(message, text + text, { line, column }), available));
        for (const [count, length] of [
          [one, text.length],
          [two, text.length * 2],
        ] as const) {
          expect(count.longest).toBeLessThanOrEqual(500);
          expect(count.matched).toBeLessThanOrEqual(300_000);
          expect(count.scanned).toBeLessThanOrEqual(4 * length + 10_000);
        }
      }
    }
  });

  it("X5 X9 patterns see a bounded part of any text, and a bounded number of times", () => {
    fc.assert(
      fc.property(source, fc.constantFrom(...messages), at, (text, message, place) => {
        const count = countSearches(() => hintFor(failure(message, text, place), available));
        expect(count.longest).toBeLessThanOrEqual(500);
        expect(count.matched).toBeLessThanOrEqual(300_000);
        expect(count.scanned).toBeLessThanOrEqual(4 * text.length + 10_000);
      }),
      { numRuns: 60 },
    );
  });

  it("X9 any text and any message give a short hint or none", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("x", "$", "tools", "a.b", "ünï"),
    );
    const message = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .tuple(word, fc.constantFrom(" is not defined", ".b is not a function", " is not iterable"))
        .map((parts) => parts.join("")),
      word.map((name) => `Cannot read properties of undefined (reading '${name}')`),
      fc.constantFrom(...messages),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.oneof(word, fc.constantFrom(...units)), { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, message, at, (given, said, place) => {
        expect((hintFor(failure(said, given, place), available) ?? "").length).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 1_000 },
    );
  });

  it("X9 names too long to be meant give no hint", () => {
    const long = "y".repeat(4_000);
    expect(hintFor(failure(`${long} is not defined`, long, { line: 1, column: 1 }), available)).toBe(undefined);
    expect(hintFor(failure(`${long}.z is not a function`, long, { line: 1, column: 1 }), available)).toBe(undefined);
    expect(
      hintFor(
        failure(`Cannot read properties of null (reading '${long}')`, "f().y", { line: 1, column: 5 }),
        available,
      ),
    ).toBe(`What .${"y".repeat(100)} is read from is null here; log it first to see what it holds.`);
  });
});
