import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const search = { name: "search" };
const refused = (message: string) => ({
  code: "guard_refused",
  message,
  hint: "ask first",
  details: { a: [1] },
  status: "refused",
  effect: "none",
  tool: "search",
});

it("X3 a call goes out as its number and arguments and resolves to a copy of the result", async () => {
  const guest = await guests.open("const r = await tools.search({ q: 'x', n: 1n }); return [r, typeof tools.search]", {
    tools: [{ name: "other" }, search],
  });
  expect(guest.first.lines).toEqual(['C1 1 {"q":"x","n":"1"}']);
  expect((await guest.step('1 ok 5 {"hits":[1]}')).lines).toEqual(["S1", 'R [{"hits":[1]},"function"]']);
  await guest.close();
});

it("X3 no argument is an empty object, and a tool is called by name or by alias (field report A1)", async () => {
  const tools = [{ name: "fetch-page", alias: "fetch_page" }, { name: "delete" }];
  const { lines, value } = await guests.run(
    `await Promise.all([tools["fetch-page"](), tools.fetch_page(undefined), tools.delete({})]);
     return [Object.keys(tools), "fetch_page" in tools, "fetch-page" in tools, "x" in tools, tools.delete === tools.delete, tools.delete.name]`,
    { tools },
  );
  expect(lines.slice(0, 3)).toEqual(["C1 0 {}", "C2 0 {}", "C3 1 {}"]);
  expect(value).toEqual([["fetch-page", "delete"], true, true, false, true, "delete"]);
});

it("X3 an alias that is another tool's name is that tool (field report B1)", async () => {
  const { lines } = await guests.run("await tools.get_stock({}); return 1", {
    tools: [{ name: "get-stock", alias: "get_stock" }, { name: "get_stock" }],
  });
  expect(lines[0]).toBe("C1 1 {}");
});

it("X3 names are data, whatever they hold (field report A5)", async () => {
  const name = 'a"]; globalThis.leak = 1; //\n';
  const { lines, value } = await guests.run("await tools[Object.keys(tools)[0]]({}); return typeof leak", {
    tools: [{ name }],
  });
  expect([lines[0], value]).toEqual(["C1 0 {}", "undefined"]);
});

it("G13 a name that was not offered asks the host, once a call, and fails as a ToolError", async () => {
  const { lines, value } = await guests.run(
    "try { await tools.serch({ q: 1 }) } catch (error) { return [error.name, error.code, error.message, error.tool] }",
    { tools: [search] },
    (line) => ({
      err: {
        code: "tool_not_offered",
        message: `no ${line.kind === "unoffered" ? line.name : ""}`,
        status: "refused",
        effect: "none",
        tool: "serch",
      },
    }),
  );
  expect(lines[0]).toBe('N1 {"name":"serch","args":"{\\"q\\":1}"}');
  expect(value).toEqual(["ToolError", "tool_not_offered", "no serch", "serch"]);
});

it("G13 what the language itself looks up names no tool", async () => {
  const { lines, value } = await guests.run(
    "await tools; JSON.stringify({ tools }); return [typeof tools.then, typeof tools.toJSON, typeof tools[Symbol.iterator], `${typeof tools.constructor}`]",
  );
  expect(value).toEqual(["undefined", "undefined", "undefined", "undefined"]);
  expect(lines).toHaveLength(1);
});

it("X3 tools cannot be changed", async () => {
  const { value } = await guests.run(`
    const attempt = (change) => { try { return change() } catch (error) { return error.name + ": " + error.message } };
    return [attempt(() => { tools.search = 1 }), attempt(() => delete tools.search), attempt(() => Object.freeze(tools)), attempt(() => Object.setPrototypeOf(tools, {})), typeof tools.search]`);
  const message = "TypeError: tools cannot be changed: it holds the tools that this program was given";
  expect(value).toEqual([message, message, message, message, "function"]);
});

it("C4 a failed call is a ToolError with the fields of the failure and the stack of the call (G7)", async () => {
  const { value } = await guests.run(
    `async function load() {
  return await tools.search({});
}
try { await load() } catch (error) {
  return { ...error, name: error.name, message: error.message, own: error instanceof ToolError && error instanceof Error, stack: error.stack };
}`,
    { tools: [search] },
    () => ({ err: refused("closed") }),
  );
  expect(value).toEqual({
    ...refused("closed"),
    name: "ToolError",
    own: true,
    stack: "ToolError: closed\n    at load (program.ts:2:22)\n    at program.ts:4:13",
  });
});

it("C4 a program makes and throws a ToolError of its own", async () => {
  const { value, error } = await guests.run(`
    const own = new ToolError("not yet", { code: "later", hint: "wait", details: { s: 5 } });
    console.log(own.code, own.hint, own.details, own.name, own.stack.split("\\n").length, new ToolError("x").code);
    throw own`);
  expect(value).toBeUndefined();
  expect(error).toMatchObject({
    name: "ToolError",
    message: "not yet",
    code: "later",
    hint: "wait",
    details: { s: 5 },
  });
  expect(error?.stack).toBe("ToolError: not yet\n    at program.ts:2:17");
});

it("C7 arguments that are not JSON become one refused entry with the path", async () => {
  const { lines, value } = await guests.run(
    "const out = []; for (const bad of [{ a: [() => 1] }, { p: tools.search() }, { n: NaN }]) await tools.search(bad).catch((error) => out.push(error.code, error.message)); return out",
    { tools: [search] },
  );
  expect(value).toEqual([
    "arguments_not_json",
    "the arguments of tools.search are not JSON: $.a[0] is a function; only JSON values cross: leave it out, or call it and pass what it returns",
    "arguments_not_json",
    "the arguments of tools.search are not JSON: $.p is a promise; await it first (await Promise.all(list) for a list of them)",
    "arguments_not_json",
    "the arguments of tools.search are not JSON: $.n is NaN; JSON has no such number: use null or a string",
  ]);
  expect(lines.filter((line) => line.startsWith("X")).map((line) => line.slice(0, 5))).toEqual([
    "X2 0 ",
    "X3 0 ",
    "X4 0 ",
  ]);
});

it("G12 several arguments are refused with how to call; one that is no object is for the host to refuse", async () => {
  const { lines, value } = await guests.run(
    "await tools.search('x'); return tools['a b']('x', 2).catch((error) => [error.code, error.message])",
    { tools: [search, { name: "a b" }] },
  );
  expect(lines[0]).toBe('C1 0 "x"');
  expect(value).toEqual([
    "arguments_not_object",
    'tools["a b"] takes one object, got 2 arguments: call it as tools["a b"]({ ... })',
  ]);
});

it("X5 C10 arguments are bounded in UTF-8 bytes", async () => {
  const { value, lines } = await guests.run(
    "const code = (text) => tools.search({ text }).then(() => 'ok', (error) => error.code + ': ' + error.message); return [await code('x'.repeat(89)), await code('x'.repeat(90)), await code('é'.repeat(44)), await code('é'.repeat(45))]",
    { tools: [search], limits: { argumentBytes: 100 } },
  );
  const over = "arguments_too_large: the arguments of tools.search are over 100 bytes of JSON: pass less, or in parts";
  expect(value).toEqual(["ok", over, "ok", over]);
  expect(lines.filter((line) => line.startsWith("C"))).toHaveLength(2);
});

it("X5 the first call over the limit is one entry, later ones fail at once; catching does not reset it (field report P4)", async () => {
  const { lines, value } = await guests.run(
    "const out = []; for (let i = 0; i < 5; i++) await tools.search({ i }).then(() => out.push(i), (error) => out.push(error.code, error.message, error.status)); return out",
    { tools: [search], limits: { calls: 2 } },
  );
  const over = [
    "calls_limit",
    "the program made its 2 calls, which is its limit: tools.search was not called",
    "refused",
  ];
  expect(value).toEqual([0, 1, ...over, ...over, ...over]);
  expect(lines.filter((line) => /^[CX]/.test(line)).map((line) => line.slice(0, 5))).toEqual([
    "C1 0 ",
    "C2 0 ",
    "X3 0 ",
  ]);
});

it("X7 calls still pending when the program ends are reported with the line of the call", async () => {
  const guest = await guests.open(
    "tools.search({ a: 1 });\nconst later = () => tools.search({});\nlater();\nreturn 1",
    { tools: [search] },
  );
  expect(guest.first.lines).toEqual([
    'C1 0 {"a":1}',
    "C2 0 {}",
    'U1 "    at program.ts:1:21"',
    'U2 "    at later (program.ts:2:27)\\n    at program.ts:3:1"',
    "R 1",
  ]);
  expect((await guest.step("1 ok 5 1")).lines).toEqual([]);
  await guest.close();
});

it("Q5 one settlement a step: the program goes on with each result as it comes", async () => {
  const guest = await guests.open(
    "const a = tools.search({ n: 1 }), b = tools.search({ n: 2 }); const first = await Promise.race([a.then((x) => x).then(() => 'a'), b.then(() => 'b')]); console.log(first); return [await a, await b]",
    { tools: [search] },
  );
  expect((await guest.step("1 ok 5 10")).lines).toEqual(["S1", 'Llog "a"']);
  expect((await guest.step("2 ok 6 20")).lines).toEqual(["S1", "R [10,20]"]);
  await guest.close();
});

it("X6 a program that waits for nothing has an empty outbox", async () => {
  const guest = await guests.open("await new Promise(() => {})");
  expect(guest.first.lines).toEqual([]);
  await guest.close();
});

it("X3 an unknown settlement changes nothing but the time", async () => {
  const guest = await guests.open("await tools.search({}); return Date.now()", { tools: [search] });
  expect((await guest.step("7 ok 1700000000005 1")).lines).toEqual(["S1"]);
  expect((await guest.step("1 ok 1700000000004 1")).lines).toEqual(["S1", "R 1700000000005"]);
  await guest.close();
});

it("C7 results keep keys such as __proto__ as keys (field report G7)", async () => {
  const guest = await guests.open("const r = await tools.search({}); return [Object.keys(r), r]", { tools: [search] });
  expect((await guest.step('1 ok 5 {"__proto__":{"a":1},"toJSON":2}')).lines[1]).toBe(
    'R [["__proto__","toJSON"],{"__proto__":{"a":1},"toJSON":2}]',
  );
  await guest.close();
});
