import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

// Whatever a program does to the objects it can reach, its calls, its console and its outcome come out as they are.
const attacks: readonly (readonly [threat: string, js: string])[] = [
  ["JSON replaced", "JSON.stringify = () => '}'; JSON.parse = () => ({ forged: 1 });"],
  [
    "Promise.prototype.then replaced",
    "try { Promise.prototype.then = function () { throw 1 } } catch {} try { Object.defineProperty(Promise.prototype, 'then', { value() {} }) } catch {}",
  ],
  ["Promise replaced", "globalThis.Promise = class { constructor() { throw 1 } };"],
  [
    "Promise species",
    "try { Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } }) } catch {} try { Promise.prototype.constructor = null } catch {}",
  ],
  [
    "Object.prototype.then",
    "Object.defineProperty(Object.prototype, 'then', { value: 5, writable: true, configurable: true });",
  ],
  [
    "Object.prototype pollution",
    "for (const key of ['code', 'message', 'value', 'get', 'set', 'writable', 'name', 'kind', 'index', 'parent', 'hint', 'details', 'stack', 'cause']) Object.defineProperty(Object.prototype, key, { __proto__: null, value: 'R 666', writable: true, configurable: true });",
  ],
  [
    "Object.prototype setters",
    "for (const key of ['n', 'a', 'list', 'seq', 'resolve', 'text', 'depth', '0', '1']) Object.defineProperty(Object.prototype, key, { set() { throw 1 }, get() { return 'R 666' }, configurable: true });",
  ],
  [
    "Array.prototype setters",
    "for (const key of [0, 1, 2]) Object.defineProperty(Array.prototype, key, { set() { throw 1 }, get() { return 'R 666' }, configurable: true });",
  ],
  [
    "Array.prototype methods and iteration",
    "for (const key of Reflect.ownKeys(Array.prototype)) if (key !== 'length') try { Array.prototype[key] = () => { throw 1 } } catch {}",
  ],
  [
    "String.prototype",
    "for (const key of Reflect.ownKeys(String.prototype)) if (key !== 'length' && key !== 'constructor') String.prototype[key] = () => 'R 666';",
  ],
  [
    "Map, Set, Function, RegExp",
    "for (const type of [Map, Set, WeakMap, RegExp]) for (const key of Reflect.ownKeys(type.prototype)) try { Object.defineProperty(type.prototype, key, { value() { throw 1 }, configurable: true }) } catch {} Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 };",
  ],
  [
    "Object, Reflect and Array functions",
    "const { ownKeys } = Reflect; for (const type of [Object, Reflect, Array, Number, Math, String, Symbol]) for (const key of ownKeys(type)) try { type[key] = () => { throw 1 } } catch {}",
  ],
  ["Error.prepareStackTrace", "Error.prepareStackTrace = () => 'R 666\\nR 666';"],
  [
    "Error.prepareStackTrace that throws",
    "Object.defineProperty(Error, 'prepareStackTrace', { get() { return () => { throw 1 } }, set() {}, configurable: true });",
  ],
  [
    "Error.prepareStackTrace that throws and cannot be replaced",
    "Object.defineProperty(Error, 'prepareStackTrace', { value() { throw 1 }, writable: false, configurable: false });",
  ],
  [
    "Error.prepareStackTrace that never ends and cannot be replaced",
    "Object.defineProperty(Error, 'prepareStackTrace', { value() { for (;;); }, writable: false, configurable: false });",
  ],
  [
    "Error.prepareStackTrace that cannot be replaced, but written",
    "Object.defineProperty(Error, 'prepareStackTrace', { value() { for (;;); }, configurable: false });",
  ],
  [
    "Error.prepareStackTrace as an accessor that cannot be replaced",
    "Object.defineProperty(Error, 'prepareStackTrace', { get() { for (;;); }, configurable: false });",
  ],
  [
    "prepareStackTrace inherited",
    "delete Error.prepareStackTrace; Function.prototype.prepareStackTrace = () => { for (;;); }; Object.defineProperty(Object.prototype, 'prepareStackTrace', { get() { for (;;); } });",
  ],
  [
    "prepareStackTrace inherited, Error frozen",
    "delete Error.prepareStackTrace; Object.prototype.prepareStackTrace = () => { for (;;); }; Object.freeze(Error);",
  ],
  [
    "the texts of Error.prototype",
    "for (const key of ['name', 'message', 'stack', 'toString', 'cause']) Object.defineProperty(Error.prototype, key, { get() { for (;;); }, set() { throw 1 } });",
  ],
  [
    "Object.prototype getters",
    "for (const key of ['cause', 'code', 'hint', 'details', 'name', 'message', 'constructor', 'detached', 'kind']) try { Object.defineProperty(Object.prototype, key, { get() { if (new Error().stack === key) return 1; throw 1 }, set() {}, configurable: true }) } catch {}",
  ],
  ["what ToolError extends", "Object.setPrototypeOf(ToolError, class { constructor() { throw 1 } });"],
  ["what ToolError extends never ends", "Object.setPrototypeOf(ToolError, function () { for (;;); });"],
  [
    "instanceof",
    "for (const type of [Error, Function.prototype, ToolError]) try { Object.defineProperty(type, Symbol.hasInstance, { value() { throw 1 } }) } catch {}",
  ],
  ["Error frozen", "Object.freeze(Error);"],
  [
    "stackTraceLimit",
    "try { Object.defineProperty(Error, 'stackTraceLimit', { get() { throw 1 } }) } catch {} Error.stackTraceLimit = 'x';",
  ],
  ["Error.prototype", "Error.prototype.name = 'R 666\\nR 666'; Error.prototype.toString = () => { throw 1 };"],
  [
    "typed arrays",
    "Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get() { return 1e9 } }); Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, { get() { return 'Uint8Array' } });",
  ],
  [
    "ToolError replaced",
    "ToolError.prototype.name = 'x\\nR 666'; globalThis.ToolError = null; globalThis.tools = null; globalThis.console = { log() {} };",
  ],
];

it.each(attacks)("X2 X5 %s", async (_threat, js) => {
  const program = `
    const { log } = console; const given = tools;
    ${js}
    const first = await given.echo({ n: 1, list: [7, 8, { a: null }] });
    log("seen", { a: [1, "x\\n"] }, first);
    let failed; try { await given.nope({ b: [2] }) } catch (error) { failed = [error.code, error.message] }
    given.echo({ late: [3] });
    return { first, failed }`;
  const guest = await guests.open(program);
  const lines = [...guest.first.lines];
  lines.push(...(await guest.step('1 ok 5 {"n":1,"list":[7,8,{"a":null}]}')).lines);
  lines.push(
    ...(
      await guest.step(
        '2 err 6 {"code":"tool_not_offered","message":"no","status":"refused","effect":"none","tool":"nope"}',
      )
    ).lines,
  );
  await guest.close();
  expect(lines.filter((line) => !line.startsWith("U"))).toEqual([
    'C1 0 {"n":1,"list":[7,8,{"a":null}]}',
    "S1",
    'Llog "seen {\\"a\\":[1,\\"x\\\\n\\"]} {\\"n\\":1,\\"list\\":[7,8,{\\"a\\":null}]}"',
    'N2 {"name":"nope","args":"{\\"b\\":[2]}"}',
    "S1",
    'C3 0 {"late":[3]}',
    'R {"first":{"n":1,"list":[7,8,{"a":null}]},"failed":["tool_not_offered","no"]}',
  ]);
  expect(lines.filter((line) => line.startsWith("U3 "))).toHaveLength(1);
});

it.each(attacks)("X2 X10 a value over its limit is shortened all the same: %s", async (_threat, js) => {
  const guest = await guests.open(
    `const value = { n: 7, list: [[1], ["é", 2], "x".repeat(300)], more: "y".repeat(300), "a b": { deep: [["z".repeat(300)]] } }; ${js}; return value`,
    { limits: { returnBytes: 100 } },
  );
  await guest.close();
  const dropped =
    '{"bytes":964,"dropped":[{"path":"$.list","kept":2,"of":3},{"path":"$.more","kept":21,"of":300},{"path":"$[\\"a b\\"].deep","kept":0,"of":1}],"more":0}';
  const shown = `{"n":7,"list":[[1],["é",2]],"more":"${"y".repeat(21)}","a b":{"deep":[]}}`;
  const whole = `{"n":7,"list":[[1],["é",2],"${"x".repeat(300)}"],"more":"${"y".repeat(300)}","a b":{"deep":[["${"z".repeat(300)}"]]}}`;
  expect(guest.first.lines.at(-1)).toBe(`P${dropped.length},${shown.length} ${dropped}${shown}${whole}`);
});

it.each([
  [
    "return value",
    "return { a: [1n, Symbol('s')] }",
    "V",
    "the return value is not JSON: $.a[1] is a symbol; only JSON values cross: use a string",
  ],
  ["thrown value", "throw { f() {} }", "E", '{"f":[Function: f]}'],
])("X2 X9 a %s that cannot leave ends the program, whatever instanceof says", async (_kind, js, end, message) => {
  for (const hook of ["throw 1", "return true", "return false"]) {
    const { lines } = await guests.run(
      `Object.defineProperty(Error, Symbol.hasInstance, { value() { ${hook} } }); ${js}`,
    );
    expect(lines.map((line) => line.slice(0, 2))).toEqual([`${end} `]);
    expect(JSON.parse((lines[0] ?? "").slice(2))).toMatchObject({ message });
  }
});

it("X7 X9 the line of a pending call survives a formatter that can be set aside, and is empty where it cannot", async () => {
  const pendingOf = async (js: string): Promise<string | undefined> =>
    (await guests.run(`${js}\ntools.echo({});\nreturn 1`)).lines.find((line) => line.startsWith("U"));
  const at = 'U1 "    at program.ts:2:7"';
  expect(await pendingOf("")).toBe(at);
  expect(await pendingOf("Error.prepareStackTrace = () => 'forged'")).toBe(at);
  expect(await pendingOf("delete Error.prepareStackTrace; Object.prototype.prepareStackTrace = () => 'forged'")).toBe(
    at,
  );
  expect(
    await pendingOf(
      "Object.defineProperty(Error, 'prepareStackTrace', { value() { return 'forged' }, writable: false, configurable: false })",
    ),
  ).toBe('U1 ""');
  expect(await pendingOf("Object.freeze(Error)")).toBe(at);
  expect(await pendingOf("delete Error.prepareStackTrace")).toBe(at);
  expect(await pendingOf("delete Error.prepareStackTrace; Object.freeze(Error)")).toBe('U1 ""');
  expect(await pendingOf("Error.stackTraceLimit = 0")).toBe(at);
  expect(await pendingOf("Object.defineProperty(Error, 'stackTraceLimit', { value: 0, writable: false })")).toBe(
    'U1 ""',
  );
});

it("X2 X9 a program's own formatter stays as it set it, after the engine's own was read", async () => {
  const { value } = await guests.run(
    `
    const seen = [];
    const look = () => { const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace") ?? {}; seen.push([typeof value, writable, enumerable, configurable]) };
    look(); await tools.echo({}).catch(look);
    Error.prepareStackTrace = () => "mine"; await tools.echo({}).catch(look);
    Object.defineProperty(Error, "prepareStackTrace", { enumerable: false, configurable: false }); await tools.echo({}).catch(look);
    return [seen, new Error("x").stack]`,
    {},
    () => ({ err: { code: "c", message: "m", status: "error", effect: "none", tool: "echo" } }),
  );
  expect(value).toEqual([
    [
      ["undefined", true, false, true],
      ["undefined", true, false, true],
      ["function", true, false, true],
      ["function", true, false, false],
    ],
    "mine",
  ]);
});

it("X9 the error of a call is a ToolError with all of its fields, whatever the program made of the class", async () => {
  const { value } = await guests.run(
    `Object.setPrototypeOf(ToolError, class { constructor() { throw 1 } });
     Object.defineProperty(Object.prototype, "cause", { get() { throw 1 } });
     try { await tools.echo({}) } catch (error) {
       return [error instanceof ToolError, Object.keys(error), error.message, error.code, error.stack, Object.hasOwn(error, "cause"), Error.stackTraceLimit]
     }`,
    {},
    () => ({ err: { code: "c", message: "m", hint: "h", status: "error", effect: "none", tool: "echo" } }),
  );
  expect(value).toEqual([
    true,
    ["code", "hint", "status", "effect", "tool"],
    "m",
    "c",
    "ToolError: m\n    at program.ts:3:24",
    false,
    10,
  ]);
});

it("C7 a toJSON on Object.prototype is heard once for each object, never for the copy", async () => {
  const { value } = await guests.run("let n = 0; Object.prototype.toJSON = () => ({ asked: ++n }); return [{}, [{}]]");
  expect(value).toEqual([{ asked: 1 }, [{ asked: 2 }]]);
});

it("X2 no text of a program holds a line break on its way out", async () => {
  const evil = "x\\nR 666\\u2028\\r";
  const { lines } = await guests.run(
    `console.log("${evil}"); setTimeout(() => { throw "${evil}" }, 0); await tools["${evil}"]({ "${evil}": "${evil}" }).catch(() => 0);
     await tools.echo({ "${evil}": "${evil}" }); await new Promise((resolve) => setTimeout(resolve, 0));
     throw Object.assign(new Error("${evil}"), { name: "${evil}", code: "${evil}", hint: "${evil}", "${evil}": "${evil}", stack: "${evil}" })`,
    {},
    () => ({ ok: 1 }),
  );
  expect(lines.filter((line) => line.startsWith("R"))).toEqual([]);
  expect(lines.map((line) => line[0]).join("")).toMatch(/^[LTNCSWE]+$/);
});

it("X2 the outcome is given once, and nothing runs after it", async () => {
  const guest = await guests.open(
    "const late = tools.echo({}); late.then(() => console.log('never')); setTimeout(() => console.log('never'), 1); return { get a() { tools.echo({ from: 'getter' }); return 1 } }",
  );
  expect(guest.first.lines.filter((line) => !line.startsWith("U"))).toEqual([
    "C1 0 {}",
    "T2 1",
    'C3 0 {"from":"getter"}',
    'R {"a":1}',
  ]);
  expect((await guest.step("1 ok 5 1")).lines).toEqual([]);
  expect((await guest.step("2 fire 6")).lines).toEqual([]);
  await guest.close();
});

it("X2 an unhandled rejection takes nothing from the outbox", async () => {
  const guest = await guests.open("Promise.reject(new Error('nobody')); console.log('still here'); return 1");
  expect(guest.first).toEqual({ lines: ['Llog "still here"', "R 1"], thrown: "Error: nobody" });
  await guest.close();
});

it("X2 nothing of the bootstrap is a global, and nothing of it can be reached through its functions", async () => {
  const { value } = await guests.run(`
    const reach = (fn) => { try { return [fn.caller, fn.arguments] } catch (error) { return error.name } };
    let sites; Error.prepareStackTrace = (_, given) => { sites = given; return "" };
    const hook = { get [Symbol.toStringTag]() { new Error().stack; return "x" }, get a() { new Error().stack; return 1 } };
    console.log(hook);
    const leaked = sites.filter((site) => site.getFileName() === "bootstrap.js" && (site.getFunction() !== undefined || site.getThis() !== undefined)).length;
    return [sites.length > 0, typeof guest, typeof boot, reach(tools.echo), reach(console.log), reach(setTimeout), leaked]`);
  expect(value).toEqual([true, "undefined", "undefined", "TypeError", "TypeError", "TypeError", 0]);
});
