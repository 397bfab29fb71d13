import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

it.each([
  ["return 1", 1],
  ["", null],
  ["return [undefined, { a: undefined, b: 1 }]", [null, { b: 1 }]],
  ["return Object.freeze({ toString: 'x' })", { toString: "x" }],
  ["return new Int8Array([-1])", [-1]],
  ['return JSON.parse(\'{"__proto__":{"a":1}}\')', JSON.parse('{"__proto__":{"a":1}}')],
  [
    "return { at: new Date(0), m: new Map([['k', new Set([1n])]]), u: new URL('http://a.b') }",
    { at: "1970-01-01T00:00:00.000Z", m: { k: ["1"] }, u: "http://a.b/" },
  ],
  ["return new RangeError('x')", { name: "RangeError", message: "x" }],
])("C7 the value of %s", async (js, value) => {
  expect((await guests.run(js)).value).toEqual(value);
});

it.each([
  ["const o = {}; o.self = o; return o", "$.self refers back to $; JSON cannot hold a cycle"],
  [
    "return [1].map((id) => tools.echo({ id }))",
    "$[0] is a promise; await it first (await Promise.all(list) for a list of them)",
  ],
  [
    "return { run() {} }",
    "$.run is a function; only JSON values cross: leave it out, or call it and pass what it returns",
  ],
  ["return { ok: true, n: 0 / 0 }", "$.n is NaN; JSON has no such number: use null or a string"],
  [
    "return new (class Foo {})",
    "$ is an instance of Foo; only plain objects and arrays cross: pick the fields you need",
  ],
  ["return { get a() { throw new Error('oh') } }", "$ cannot be read: oh"],
  ["let d = []; for (let i = 0; i < 2000; i++) d = [d]; return d", "$…"],
])("C7 X9 what cannot leave is an error with its path: %s (field reports G1, G8)", async (js, reason) => {
  const { error, unusable, value } = await guests.run(js);
  expect([value, error]).toEqual([undefined, undefined]);
  expect(unusable).toMatchObject({
    name: "TypeError",
    code: "return_not_json",
    hint: "return plain data: objects, arrays, strings, numbers",
  });
  if (reason !== "$…") expect(unusable?.message).toBe(`the return value is not JSON: ${reason}`);
  else
    expect(unusable?.message).toMatch(
      /^the return value is not JSON: \$(\[0\])+…0(\]\[0)+\] is nested more than 1000 levels deep$/,
    );
});

it("X5 a value that is too large to leave is an error, not a crash", async () => {
  const { lines, unusable } = await guests.run("return 'x'.repeat(2000)", { limits: { transferBytes: 1_000 } });
  expect(lines).toHaveLength(1);
  expect(unusable).toEqual({
    name: "TypeError",
    message: "the return value is over 1000 characters of JSON (2002)",
    code: "return_too_large",
    hint: "return less: pick fields, filter, count, or cut",
  });
});

it.each(["return_too_large", "return_not_json"])(
  "X9 C7 a program that throws the code %s is taken at its own word alone",
  async (code) => {
    const { lines, error, unusable } = await guests.run(
      `throw Object.assign(new TypeError("the return value is over 9 characters of JSON"), { code: "${code}" })`,
    );
    expect(lines.map((line) => line.slice(0, 2))).toEqual(["E "]);
    expect([error?.code, unusable]).toEqual([code, undefined]);
  },
);

it("X9 name, message, code, hint, JSON fields and causes of an error arrive (field report F7)", async () => {
  const { error } = await guests.run(`
    class Failed extends Error { name = "Failed"; code = 42; constructor(message, options) { super(message, options); this.rows = [1, { a: 2 }]; this.run = () => 1 } }
    throw Object.assign(new Failed("outer", { cause: new TypeError("inner", { cause: { code: 401 } }) }), { hint: "try later" })`);
  const { stack, cause, ...rest } = error ?? {};
  expect(rest).toEqual({
    name: "Failed",
    message: "outer",
    hint: "try later",
    details: { code: 42, rows: [1, { a: 2 }] },
  });
  expect(stack).toBe("Failed: outer\n    at program.ts:3:25");
  expect(cause).toEqual({
    name: "TypeError",
    message: "inner",
    stack: "TypeError: inner\n    at program.ts:3:54",
    cause: { name: "Thrown", message: '{"code":401}', details: { code: 401 } },
  });
});

it.each([
  ["'just text'", { name: "Thrown", message: "just text", details: "just text" }],
  ["{ code: 401 }", { name: "Thrown", message: '{"code":401}', details: { code: 401 } }],
  ["undefined", { name: "Thrown", message: "undefined" }],
  ["null", { name: "Thrown", message: "null", details: null }],
  ["Symbol('s')", { name: "Thrown", message: "Symbol(s)" }],
  ["() => 1", { name: "Thrown", message: "[Function]" }],
  ["new Proxy(new Error('x'), { get() { throw 1 } })", { name: "Thrown", message: "[unreadable]" }],
  [
    "new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } })",
    { name: "Thrown", message: "[unreadable]" },
  ],
])("X9 a thrown %s", async (thrown, error) => {
  const given = (await guests.run(`throw (${thrown})`)).error;
  expect(given).toEqual(error);
});

it("X9 getters of an error that throw, and fields that are no text, are left out", async () => {
  const { error } = await guests.run(`
    const error = new Error("m");
    for (const key of ["stack", "code", "hint", "cause", "extra"]) Object.defineProperty(error, key, { enumerable: true, get() { throw new Error(key) } });
    Object.defineProperty(error, "name", { value: { toString() { return "fake" } } });
    throw error`);
  expect(error).toEqual({ name: "Error", message: "m" });
});

it("X5 X9 texts, causes and fields of an error are bounded", async () => {
  const { error } = await guests.run(`
    let error = new Error("end"); for (let i = 0; i < 50; i++) error = new Error("m".repeat(9000), { cause: error });
    error.stack = "s".repeat(20000); error.big = "b".repeat(100000); error.small = 1; error.name = "n".repeat(500);
    throw error`);
  expect([error?.name.length, error?.message.length, error?.stack?.length, error?.details]).toEqual([
    100,
    4_000,
    8_000,
    { small: 1 },
  ]);
  let depth = 0;
  for (let at = error; at !== undefined; at = at.cause) depth += 1;
  expect(depth).toBe(6);
});

it("X9 an AggregateError says what its errors were", async () => {
  const { error } = await guests.run("await Promise.any([Promise.reject(new Error('a')), Promise.reject('b')])");
  expect(error).toMatchObject({ name: "AggregateError", details: { errors: [{ name: "Error", message: "a" }, "b"] } });
});

it("X9 an error that a disposer threw over another says what both were", async () => {
  const { error } = await guests.run(
    "throw new SuppressedError(new TypeError('in the disposer'), new Error('before'), 'both')",
  );
  expect(error).toMatchObject({
    name: "SuppressedError",
    message: "both",
    details: {
      error: { name: "TypeError", message: "in the disposer" },
      suppressed: { name: "Error", message: "before" },
    },
  });
});

it("X5 X9 of an error with very many fields the first are told", async () => {
  const { error } = await guests.run(
    "const error = new Error('wide'); for (let i = 0; i < 10_000; i++) error['k' + i] = i; throw error",
  );
  expect(Object.keys(error?.details ?? {})).toHaveLength(198);
});

it("X9 the innermost frame of the program's own text comes first, in callbacks and after an await (field report I1)", async () => {
  const { error } = await guests.run(
    "\nfunction inner() { throw new Error('deep') }\nconst outer = async () => { await tools.echo({}); [1].forEach(() => inner()) };\nawait outer()",
  );
  expect(error?.stack).toBe(
    "Error: deep\n    at inner (program.ts:2:26)\n    at program.ts:3:69\n    at Array.forEach (<anonymous>)\n    at outer (program.ts:3:55)\n    at async program.ts:4:1",
  );
});

it("X9 an uncaught error of a call keeps its own details only", async () => {
  const { error } = await guests.run("await tools.echo({})", {}, () => ({
    err: {
      code: "not_found",
      message: "no such row",
      hint: "list first",
      details: { id: 7 },
      status: "error",
      effect: "none",
      tool: "echo",
    },
  }));
  expect(error).toEqual({
    name: "ToolError",
    message: "no such row",
    code: "not_found",
    hint: "list first",
    details: { id: 7 },
    stack: "ToolError: no such row\n    at program.ts:1:27",
  });
});
