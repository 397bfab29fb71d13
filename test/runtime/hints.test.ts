import { afterAll, describe, expect, it } from "vitest";
import { hintFor } from "../../src/runtime/hints.ts";
import { evaluate, startCompiler } from "./programs.ts";

const compiler = startCompiler();
afterAll(() => compiler.close());

const hint = async (source: string): Promise<string | undefined> => (await evaluate(compiler, source)).error?.hint;
const globals =
  "Globals: AbortController, AbortSignal, DOMException, Event, EventTarget, TextDecoder, TextEncoder, ToolError, URL, URLSearchParams, " +
  "atob, btoa, clearInterval, clearTimeout, console, crypto, performance, queueMicrotask, setInterval, setTimeout, structuredClone, tools.";
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
