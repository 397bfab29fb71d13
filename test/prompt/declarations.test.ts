import { describe, expect, it } from "vitest";
import { declare } from "../../src/prompt/declarations.ts";
import { declareTool } from "../../src/prompt/declare-tool.ts";
import { compileErrors } from "./compile.ts";
import type { Declarable } from "../../src/prompt/declarations.ts";
import type { JsonObject } from "../../src/json.ts";

const tool = (name: string, input: JsonObject, more: Partial<Declarable> = {}): Declarable => ({
  name,
  description: "",
  input,
  ...more,
});
const args = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const broken = (schema: unknown): JsonObject => schema as JsonObject;
/** The method of one tool, with neither warnings nor types. */
const method = (input: JsonObject, more: Partial<Declarable> = {}): string => {
  const { text, types, warnings } = declareTool(tool("t", input, more));
  expect({ types, warnings }).toEqual({ types: [], warnings: [] });
  return text;
};

describe("the whole text", () => {
  it("D1 D3 declares each tool in the order given, shared types once, and compiles", () => {
    const node: JsonObject = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
      required: ["name"],
    };
    const { text, warnings } = declare([
      tool(
        "get_tree",
        args(
          { id: { type: "integer", description: "Where to start" }, depth: { type: "integer", default: 3 } },
          { required: ["id"] },
        ),
        {
          description: "Gets a tree.\nSlow for large trees.",
          output: { $ref: "#/$defs/node", $defs: { node } },
        },
      ),
      tool("put_tree", args({ tree: { $ref: "#/$defs/node" } }, { required: ["tree"], $defs: { node } }), {
        description: "Puts a tree.",
      }),
      tool(
        "ping",
        { type: "object" },
        {
          description: "Answers.",
          output: {
            type: "object",
            description: "When it answered",
            properties: { ms: { type: "number" } },
            required: ["ms"],
          },
        },
      ),
    ]);
    const named = /Node_[a-z0-9]{5}/.exec(text)?.[0] ?? "";
    expect(text.split("\n")).toEqual([
      "/** What a call rejects with; `code` says why, `hint` what to change. */",
      "declare class ToolError extends Error { code: string; hint?: string; details?: Unknown; status: string; effect: string }",
      "/** A value of a shape that nobody declared: look at it before relying on it. */",
      "type Unknown = any;",
      `type ${named} = { name: string; children?: ${named}[] };`,
      "declare const tools: {",
      "/** Gets a tree.",
      "Slow for large trees. */",
      "get_tree(args: {",
      " id: number // Where to start",
      " depth?: number // default 3",
      `}): Promise<${named}>`,
      "/** Puts a tree. */",
      `put_tree(args: { tree: ${named} }): Promise<Unknown>`,
      "/** Answers.",
      "@returns When it answered */",
      "ping(args?: {}): Promise<{ ms: number }>",
      "};",
      "",
    ]);
    expect(warnings).toEqual([]);
    expect(compileErrors({ "a.ts": text })).toEqual([]);
  });

  it("D1 a tool that was declared before is not read again, whatever else is declared with it", () => {
    const reads: number[] = [];
    const counted = (at: number, more: Partial<Declarable> = {}): Declarable => {
      const input = new Proxy(args({ id: { type: "integer" } }), {
        get(schema, key): unknown {
          if (key === "properties") reads.push(at);
          return Reflect.get(schema, key);
        },
      });
      return tool(`tool_${at}`, input, { description: `Finds ${at}.`, ...more });
    };
    const tools = Array.from({ length: 200 }, (_, at) => counted(at));
    const first = declare(tools);
    expect(new Set(reads).size).toBe(200);
    reads.length = 0;
    const { text } = declare([...tools.map((one) => ({ ...one })), counted(200)]);
    expect(new Set(reads)).toEqual(new Set([200]));
    expect(declare(tools)).toEqual(first);
    expect(text.replace(/\/\*\* Finds 200.*\n.*\n/, "")).toBe(first.text);
  });

  it("D1 a tool of which anything else changed is declared anew", () => {
    const input = args({ id: { type: "integer" } });
    const output: JsonObject = { type: "string" };
    const methodOf = (more: Partial<Declarable>, name = "t"): string =>
      declare([tool(name, input, more)]).text.split("declare const tools: {\n")[1] ?? "";
    const shown = [methodOf({}), methodOf({ description: "Finds." }), methodOf({ output }), methodOf({}, "u")];
    expect([...shown, methodOf({ alias: "v" }, "a-b"), methodOf({ alias: "w" }, "a-b"), methodOf({})]).toEqual([
      "t(args?: { id?: number }): Promise<Unknown>\n};\n",
      "/** Finds. */\nt(args?: { id?: number }): Promise<Unknown>\n};\n",
      "t(args?: { id?: number }): Promise<string>\n};\n",
      "u(args?: { id?: number }): Promise<Unknown>\n};\n",
      "v(args?: { id?: number }): Promise<Unknown>\n};\n",
      "w(args?: { id?: number }): Promise<Unknown>\n};\n",
      "t(args?: { id?: number }): Promise<Unknown>\n};\n",
    ]);
  });

  it("D3 no tools at all compile", () => {
    const { text } = declare([]);
    expect(text.endsWith("declare const tools: {\n};\n")).toBe(true);
    expect(compileErrors({ "a.ts": text })).toEqual([]);
  });

  it("D3 equal input gives equal bytes, and a tool's text does not depend on the others", () => {
    const tools = ["a", "b", "c"].map((name) =>
      tool(
        name,
        args({ x: { $ref: "#/$defs/n" } }, { $defs: { n: args({ next: { $ref: "#/$defs/n" }, [name]: {} }) } }),
      ),
    );
    const all = declare(tools).text;
    expect(declare(structuredClone(tools)).text).toBe(all);
    for (const one of tools) {
      const { text, types } = declareTool(one);
      expect(all).toContain(`\n${text}\n`);
      for (const type of types) expect(all.split(`${type.text}\n`)).toHaveLength(2);
    }
    expect(all.match(/^type N_/gm)).toHaveLength(3);
  });
});

describe("arguments", () => {
  it.each<[string, JsonObject, string]>([
    ["no properties", { type: "object" }, "args?: {}"],
    ["empty properties", args({}), "args?: {}"],
    ["closed", { type: "object", additionalProperties: false }, "args?: Record<string, never>"],
    ["open on purpose", { type: "object", additionalProperties: true }, "args?: Record<string, unknown>"],
    ["an empty schema", {}, "args?: Record<string, unknown>"],
    ["all optional", args({ a: { type: "string" } }), "args?: { a?: string }"],
    ["one required", args({ a: { type: "string" } }, { required: ["a"] }), "args: { a: string }"],
    [
      "a choice with an empty one",
      { anyOf: [args({ a: {} }, { required: ["a"] }), args({ b: {} })] },
      "args?: { a: unknown } | { b?: unknown }",
    ],
    [
      "a choice without",
      args({ a: {} }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
      "args: { a?: unknown } & ({ a: unknown } | { b: unknown })",
    ],
  ])("D1 %s", (_, input, text) => {
    expect(method(input)).toBe(`t(${text}): Promise<Unknown>`);
  });

  it("D1 a tool without parameters is callable without and with an empty object", () => {
    const { text } = declare([
      tool("open", { type: "object" }),
      tool("closed", { type: "object", additionalProperties: false }),
    ]);
    const calls = "tools.open(); tools.open({}); tools.closed(); tools.closed({});";
    expect(compileErrors({ "a.ts": `${text}${calls}` })).toEqual([]);
    expect(compileErrors({ "a.ts": `${text}tools.closed({ a: 1 });` })).toHaveLength(1);
  });

  it("D1 a recursive root may be left out only if nothing in it is required", () => {
    const text = (required: string[]) =>
      declareTool(tool("t", { type: "object", properties: { next: { $ref: "#" } }, required })).text;
    expect(text([])).toMatch(/^t\(args\?: Args_[a-z0-9]{5}\): Promise<Unknown>$/);
    expect(text(["next"])).toMatch(/^t\(args: Args_[a-z0-9]{5}\): Promise<Unknown>$/);
  });
});

describe("examples", () => {
  const example = (more: JsonObject, name = "find", alias?: string) =>
    declareTool(
      tool(name, args({ q: { type: "string" } }, more), {
        description: "Finds.",
        ...(alias === undefined ? {} : { alias }),
      }),
    )
      .text.split("\n")
      .slice(0, -1);

  it("D5 of the input are shown as calls: the first two, each where it is short", () => {
    const long = { q: "x".repeat(300) };
    expect(example({ examples: [{ q: "a" }, long, {}, { q: "b" }] })).toEqual([
      "/** Finds.",
      'Example: tools.find({ q: "a" })',
      "Example: tools.find() */",
    ]);
    expect(example({ example: { q: "a", "x-y": [1, { z: null }] } }, "a-b", "a_b")).toEqual([
      "/** Finds.",
      'Example: tools.a_b({ q: "a", "x-y": [1, { z: null }] }) */',
    ]);
    expect(example({ examples: [{}] }, "a b")).toEqual(["/** Finds.", 'Example: tools["a b"]() */']);
  });

  it("D5 that are no arguments, or hold a comment's end, harm nothing", () => {
    expect(example({ examples: [JSON.parse('{"__proto__":"a"}')] })).toContain(
      'Example: tools.find({ ["__proto__"]: "a" }) */',
    );
    expect(example({ examples: ["a", null, 7] })).toEqual(["/** Finds. */"]);
    expect(example({ examples: { q: "a" } })).toEqual(["/** Finds. */"]);
    expect(example({ examples: [{ q: "*/ `\u2028" }] })).toEqual([
      "/** Finds.",
      'Example: tools.find({ q: "*\\/ \\u0060\\u2028" }) */',
    ]);
  });
});

describe("names", () => {
  it("D3 the exact accessor is what is declared: a name, or the alias of a name that is none (A1)", () => {
    const of = (name: string, alias?: string) =>
      declareTool(tool(name, {}, alias === undefined ? {} : { alias }))
        .text.trim()
        .split("(")[0];
    expect(of("fetch-page", "fetch_page")).toBe("fetch_page");
    expect(of("fetch_page", "ignored")).toBe("fetch_page");
    expect(of("fetch-page")).toBe('"fetch-page"');
    expect(of("list items", "list_items")).toBe("list_items");
  });

  it("D3 reserved words are properties as they are, and every text parses (A2, A3, A4, A5)", () => {
    const words =
      "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static await async eval arguments get set readonly declare abstract accessor type interface namespace constructor prototype __proto__ Promise console Error toString then any never unknown";
    const crafted = ['a"]; globalThis.leak = 1; //', "a b", "2nd", "", "*/", "`${x}`", "a\nb", "\u2028", "\ud800"];
    const names = [...words.split(" "), ...crafted];
    const { text, warnings } = declare(
      names.map((name) => tool(name, args({ [name]: { type: "string" } }), { description: name })),
    );
    const uses = names.map((name) => `tools[${JSON.stringify(name)}]({ [${JSON.stringify(name)}]: "x" });`);
    expect(warnings).toEqual([]);
    expect(compileErrors({ "a.ts": text + uses.join("\n").replaceAll("\u2028", "\\u2028") })).toEqual([]);
    expect(compileErrors({ "a.ts": `${text}tools.leak();` })).toHaveLength(1);
  });
});

describe("field reports on schemas", () => {
  it("D3 a comment end, a line end or a backtick in a description harms nothing (C1, C2, C20)", () => {
    const properties: JsonObject = {
      glob: { type: "string", description: "like src/**/x*/" },
      two: { type: "string", description: "one\ntwo = 1" },
      param: { type: "string", description: "a\n@param b */ x" },
      odd: { type: "string", description: "a\rb\u2028c ```d``` */" },
    };
    expect(method(args(properties), { description: "Ends */ here\nlet x = 1" }).split("\n")).toEqual([
      "/** Ends *\\/ here",
      "let x = 1 */",
      "t(args?: {",
      " glob?: string // like src/**/x*/",
      " /** one",
      " two = 1 */",
      " two?: string",
      " /** a",
      " @param b *\\/ x */",
      " param?: string",
      " /** a",
      " b",
      " c '''d''' *\\/ */",
      " odd?: string",
      "}): Promise<Unknown>",
    ]);
  });

  it("D3 keywords below properties are names (C3)", () => {
    const names = {
      description: { type: "string" },
      type: { type: "string" },
      $ref: { type: "string" },
      properties: { type: "array" },
      $id: { type: "number" },
    };
    expect(method(args(names))).toBe(
      "t(args?: { description?: string; type?: string; $ref?: string; properties?: unknown[]; $id?: number }): Promise<Unknown>",
    );
  });

  it("D3 keys that are no identifiers are quoted (C4)", () => {
    const keys = ["content-type", "x[0]", "2nd", "it's", "a b", "", 'q"', "é"];
    expect(method(args(Object.fromEntries(keys.map((key) => [key, {}])), { required: keys }))).toBe(
      [
        "t(args: {",
        ...['"content-type"', '"x[0]"', '"2nd"', '"it\'s"', '"a b"', '""', '"q\\""', '"é"'].map(
          (key) => ` ${key}: unknown`,
        ),
        "}): Promise<Unknown>",
      ].join("\n"),
    );
  });

  it("D1 one recursive result among others (C6)", () => {
    const node = args({ children: { type: "array", items: { $ref: "#" } } });
    const { text, warnings } = declare([
      tool("a", {}, { output: args({ n: { type: "number" } }) }),
      tool("b", {}, { output: node }),
      tool("c", {}),
    ]);
    expect(warnings).toEqual([]);
    expect(text.replaceAll(/_[a-z0-9]{5}\b/g, "_")).toContain(
      [
        "type Result_ = { children?: Result_[] };",
        "declare const tools: {",
        "a(args?: Record<string, unknown>): Promise<{ n?: number }>",
        "b(args?: Record<string, unknown>): Promise<Result_>",
        "c(args?: Record<string, unknown>): Promise<Unknown>",
        "};",
      ].join("\n"),
    );
  });

  it("D1 the schema is not changed, and stays JSON (C7)", () => {
    const input = args({ root: { $ref: "#/$defs/n" } }, { $defs: { n: args({ n: { $ref: "#/$defs/n" } }) } });
    const before = JSON.stringify(input);
    declare([tool("t", input)]);
    expect(JSON.stringify(input)).toBe(before);
  });

  it.each<[string, JsonObject, string]>([
    [
      "C8",
      args({ x: { $ref: "#/$defs/a~1b", description: "kept" } }, { $defs: { "a/b": { type: "number" } } }),
      "args?: {\n x?: number // kept\n}",
    ],
    [
      "C10",
      args({ x: { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "object" }] } }),
      "args?: { x?: number[] | Record<string, unknown> }",
    ],
    [
      "C11",
      args({ x: { anyOf: [{ type: "integer" }, { type: "null" }], default: null } }),
      "args?: {\n x?: number | null // default null\n}",
    ],
    [
      "C12",
      args({ x: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false } }),
      "args?: { x?: [number, string] }",
    ],
    [
      "C14",
      args({ x: { anyOf: [{ enum: ["a", "b"], title: "Kind" }, { type: "null" }] } }),
      'args?: { x?: "a" | "b" | null }',
    ],
    [
      "C15",
      args({ x: { type: "string", enum: ["a", "b"], oneOf: [{ const: "a" }, { const: "b" }] } }),
      'args?: { x?: "a" | "b" }',
    ],
    [
      "C16",
      args({ port: { type: "number", default: 8080, description: "Where" } }),
      "args?: {\n port?: number // Where (default 8080)\n}",
    ],
    ["C17", args({ q: {}, limit: {} }, { required: ["q"] }), "args: { q: unknown; limit?: unknown }"],
  ])("D1 %s", (_, input, text) => {
    expect(method(input)).toBe(`t(${text}): Promise<Unknown>`);
  });

  it("D1 the output schema is the type of the result, so its fields are checked (C18)", () => {
    const output = args(
      { items: { type: "array", items: args({ id: { type: "number" } }, { required: ["id"] }) } },
      { required: ["items"] },
    );
    const { text } = declare([tool("list", {}, { output })]);
    expect(text).toContain("list(args?: Record<string, unknown>): Promise<{ items: { id: number }[] }>");
    const use = (field: string) =>
      compileErrors({ "a.ts": `${text}const n: number = (await tools.list()).items[0]!.${field};` });
    expect(use("id")).toEqual([]);
    expect(use("idd")).toHaveLength(1);
  });

  it("D1 a broken schema costs its own tool, with a warning, and no other (C19)", () => {
    const good = Array.from({ length: 8 }, (_, i) => tool(`good${i}`, args({ a: { type: "string" } })));
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const { text, warnings } = declare([
      ...good.slice(0, 4),
      tool("seven", broken({ type: 7 })),
      tool("nothing", broken(null)),
      tool("text", { type: "string" }),
      tool("part", args({ a: { type: "strin" }, b: { type: "string" }, c: 7 })),
      tool("hostile", broken(hostile), { output: broken([]) }),
      ...good.slice(4),
    ]);
    expect(warnings).toEqual([
      { tool: "seven", message: 'tool "seven", inputSchema: type is 7 at #, read without it' },
      { tool: "nothing", message: 'tool "nothing", inputSchema: expected a schema, found null at #, shown as unknown' },
      {
        tool: "text",
        message: 'tool "text", inputSchema: admits no object, so no call can match it; shown as any object',
      },
      { tool: "part", message: 'tool "part", inputSchema: type is "strin" at #/properties/a, read without it' },
      {
        tool: "part",
        message: 'tool "part", inputSchema: expected a schema, found 7 at #/properties/c, shown as unknown',
      },
      { tool: "hostile", message: 'tool "hostile", inputSchema: cannot be read (no), shown as unknown' },
      { tool: "hostile", message: 'tool "hostile", outputSchema: expected a schema, found [] at #, shown as unknown' },
    ]);
    for (const name of ["seven", "nothing", "text", "hostile"]) {
      expect(text).toContain(`${name}(args?: Record<string, unknown>): Promise<Unknown>\n`);
    }
    expect(text).toContain("part(args?: { a?: unknown; b?: string; c?: unknown }): Promise<Unknown>\n");
    for (const { name } of good) expect(text).toContain(`${name}(args?: { a?: string }): Promise<Unknown>\n`);
    expect(compileErrors({ "a.ts": text })).toEqual([]);
  });
});

describe("results that were observed", () => {
  const observed: JsonObject = { type: "object", properties: { id: { type: "number" } }, required: ["id"] };
  const note = "@returns Observed in earlier results, not promised: look before relying on it";

  it("D6 are the type where there is no output schema, with one line that says so, in brief too", () => {
    const find = tool("find", args({}), { description: "Finds it. At length.", observed });
    expect(declareTool(find).text).toBe(
      `/** Finds it. At length.\n${note} */\nfind(args?: {}): Promise<{ id: number }>`,
    );
    expect(declareTool(find, "brief").text).toBe(`/** Finds it.\n${note} */\nfind(args?: {}): Promise<{ id: number }>`);
    expect(compileErrors({ "a.ts": declare([find]).text })).toEqual([]);
  });

  it("D6 say nothing beside an output schema", () => {
    const output: JsonObject = { type: "string" };
    expect(method(args({}), { output, observed })).toBe("t(args?: {}): Promise<string>");
  });

  it("D6 F4 change the text of their tool alone, and declare it anew", () => {
    const input = args({});
    const [before, after] = [{}, { observed }].map(
      (more) => declare([tool("a", args({})), tool("t", input, more)]).text,
    );
    expect(before).toContain("t(args?: {}): Promise<Unknown>\n");
    expect(after?.slice(0, after.indexOf("/** @returns"))).toBe(before?.slice(0, before.indexOf("t(args")));
    expect(after).toContain(`/** ${note} */\nt(args?: {}): Promise<{ id: number }>\n`);
  });
});
