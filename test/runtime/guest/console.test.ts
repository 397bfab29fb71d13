import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const logged = async (js: string): Promise<readonly string[]> => (await guests.run(js)).console;

it("X10 JSON data shows as JSON, texts as they are, all arguments joined (field reports H3, H4)", async () => {
  expect(
    await logged(
      "console.log('Found:', ['a', 'b'], { a: [1, null], 'b c': { d: 'x\\ny' } }, 1.5, true, null, undefined)",
    ),
  ).toEqual(['Found: ["a","b"] {"a":[1,null],"b c":{"d":"x\\ny"}} 1.5 true null undefined']);
  expect(await logged("console.log(); console.log(''); console.log('line\\nbreak')")).toEqual(["", "", "line\nbreak"]);
});

it.each([
  ["new Map([[1, { a: 2 }], ['k', 'v']])", 'Map(2) {1 => {"a":2}, "k" => "v"}'],
  ["new Set([1, 'a', new Set()])", 'Set(3) {1, "a", Set(0) {}}'],
  ["new TypeError('bad')", "TypeError: bad"],
  ["[new Error('inner'), Object.assign(new Error(''), { name: 'Own' })]", "[Error: inner,Own]"],
  ["123n", "123n"],
  ["[undefined, NaN, -Infinity, 5n]", "[undefined,NaN,-Infinity,5n]"],
  [
    "{ f() {}, g: () => 1, h: class Foo {}, i: (() => () => 1)() }",
    '{"f":[Function: f],"g":[Function: g],"h":[Function: Foo],"i":[Function]}',
  ],
  ["[Symbol('s'), Symbol.iterator]", "[Symbol(s),Symbol(Symbol.iterator)]"],
  ["new Date(0)", "1970-01-01T00:00:00.000Z"],
  ["[new Date(0), new Date(NaN)]", '["1970-01-01T00:00:00.000Z","Invalid Date"]'],
  ["/a\\/b/gi", "/a\\/b/gi"],
  ["Promise.resolve(1)", "Promise {}"],
  ["new (class Point { x = 1 })", 'Point {"x":1}'],
  ["new (class extends Map {})([[1, 2]])", "Map(1) {1 => 2}"],
  ["Object.assign(Object.create(null), { a: 1 })", '{"a":1}'],
  ["new Uint8Array([1, 2])", "Uint8Array(2) [1,2]"],
  ["new ArrayBuffer(3)", "ArrayBuffer(3)"],
  ["new WeakMap()", "WeakMap {}"],
  ["[new String('s'), new Number(1), new Boolean(false)]", '["s",1,false]'],
  ["new URL('http://a.b/c?d')", '"http://a.b/c?d"'],
  ["tools", '{"echo":[Function: echo]}'],
  ["(() => { const o = { a: [] }; o.a.push(o, { o }); return o })()", '{"a":[[Circular],{"o":[Circular]}]}'],
  ["{ get a() { throw 1 }, b: 2 }", '{"a":[unreadable],"b":2}'],
  ["[new Proxy({}, { ownKeys() { throw 1 } }), 1]", "[[unreadable],1]"],
  ["new Proxy({}, { getPrototypeOf() { throw 1 } })", "[unreadable]"],
  ["process", "[unreadable]"],
  ["Array(3)", "[undefined,undefined,undefined]"],
])("X10 console.log(%s)", async (expression, line) => {
  expect(await logged(`const value = ${expression}; console.log(value)`)).toEqual([line]);
});

it("X10 format specifiers are filled, unknown ones and a lone argument stay", async () => {
  expect(
    await logged(
      "console.log('%s is %d%% of %i, %j %o %O%c!', 'x', '4.5', 7.9, { a: 1 }, [1], { b: 2 }, 'color: red', 'more', 1)",
    ),
  ).toEqual(['x is 4.5% of 7, {"a":1} [1] {"b":2}! more 1']);
  expect(
    await logged(
      "console.log('100% %s %x', 1); console.log('%s'); console.log('%d %d', 1n, 'z'); console.log({ a: '%s' }, 1)",
    ),
  ).toEqual(["100% 1 %x", "%s", "1n NaN", '{"a":"%s"} 1']);
});

it("X10 every common method exists and none throws (field report H1)", async () => {
  const { lines, value } = await guests.run(`
    const { log, table } = console;
    log("log"); console.info("info"); console.warn("warn"); console.error("error"); console.debug("debug"); console.trace("trace");
    console.dir({ a: 1 }, { depth: 0 }); console.dirxml("x"); table([1]); console.assert(true, "yes"); console.assert(false, "no", 1); console.assert();
    console.count(); console.count("c"); console.count(); console.countReset(); console.count();
    console.time("t"); await tools.echo({}); console.timeLog("t", "so far"); console.timeEnd("t"); console.timeEnd("t");
    console.group("outer"); console.group(); console.log("a\\nb"); console.groupEnd(); console.log("c"); console.groupEnd(); console.groupEnd(); console.log("d"); console.clear();
    return Object.keys(console).sort().join(" ")`);
  expect(value).toBe(
    "assert clear count countReset debug dir dirxml error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn",
  );
  const shown = lines.filter((line) => line.startsWith("L")).map((line) => line.slice(1).replace(/ (?=")/, ":"));
  expect(shown).toEqual([
    'log:"log"',
    'info:"info"',
    'warn:"warn"',
    'error:"error"',
    'debug:"debug"',
    'debug:"Trace: trace"',
    'log:"{\\"a\\":1}"',
    'log:"x"',
    'log:"[1]"',
    'error:"Assertion failed: no 1"',
    'error:"Assertion failed"',
    'log:"default: 1"',
    'log:"c: 1"',
    'log:"default: 2"',
    'log:"default: 1"',
    'log:"t: 1ms so far"',
    'log:"t: 1ms"',
    'warn:"there is no timer \\"t\\""',
    'log:"outer"',
    'log:"    a\\n    b"',
    'log:"  c"',
    'log:"d"',
  ]);
});

it("X10 logging what cannot be written down never fails the program (field report H2)", async () => {
  const { value, console } = await guests.run(
    "console.log(globalThis); console.log(Object.getPrototypeOf(globalThis), Reflect, Math, Intl); return 'went on'",
  );
  expect(value).toBe("went on");
  expect(console).toHaveLength(2);
});

it("X5 X10 the budget counts UTF-8 bytes and one a line: the line that crosses it is cut, later ones dropped, and one warning says so", async () => {
  const { console, warnings } = await guests.run(
    "console.log('12345'); console.log('ééééé'); console.log('x'); console.error('y'); return 1",
    { limits: { consoleBytes: 11 } },
  );
  expect(console).toEqual(["12345", "éé"]);
  expect(warnings).toEqual(["console output is over its limit of 11 bytes: the rest of it was dropped"]);
});

it("X5 a budget that is met exactly warns of nothing, and none at all shows nothing", async () => {
  const exact = await guests.run("console.log('12345'); console.log('67890'); return 1", {
    limits: { consoleBytes: 12 },
  });
  expect([exact.console, exact.warnings]).toEqual([["12345", "67890"], []]);
  for (const js of [
    "console.log('1'); console.log('2')",
    "console.log(); console.log('')",
    "console.log(''); console.log(3)",
  ]) {
    const none = await guests.run(`${js}; return 1`, { limits: { consoleBytes: 0 } });
    expect([none.console, none.warnings]).toEqual([
      [],
      ["console output is over its limit of 0 bytes: the rest of it was dropped"],
    ]);
  }
});

it.each([
  ["console.log()", ["", "", "", "", ""]],
  ["console.log('')", ["", "", "", "", ""]],
  ["console.log('%c', 1)", ["", "", "", "", ""]],
  ["console.log('a')", ["a", "a"]],
  ["console.log('ab')", ["ab", "a"]],
  ["console.log('é')", ["é"]],
  ["console.log('\\ud800')", ["\ud800"]],
  ["console.log('😀')", ["😀"]],
  ["console.log('\\n')", ["\n", "\n"]],
  ["console.group(); console.log('')", ["  ", " "]],
] as const)("X5 the budget bounds the number of lines, also of empty ones: %s", async (js, lines) => {
  const { console, warnings } = await guests.run(
    `for (let i = 0; i < 60000; i += 1) { ${js}; console.groupEnd() } return 1`,
    {
      limits: { consoleBytes: 5 },
    },
  );
  expect(console).toEqual(lines);
  expect(warnings).toHaveLength(1);
});

it("X5 lines printed over many turns share one budget", async () => {
  const { console, value } = await guests.run(
    "for (let i = 0; i < 20; i += 1) { await tools.echo({}); for (let k = 0; k < 60; k += 1) console.log() } return 'done'",
    { limits: { consoleBytes: 100 } },
  );
  expect([console.length, value]).toEqual([100, "done"]);
});

it("X5 huge, deep and endless values end at the budget", async () => {
  const { console, value } = await guests.run(
    `let deep = []; for (let i = 0; i < 1000; i++) deep = [deep];
     console.log(deep);
     let shared = ["x"]; for (let i = 0; i < 60; i++) shared = [shared, shared];
     console.log(shared);
     console.log(new Array(4e9));
     return "done"`,
    { limits: { consoleBytes: 2_000 } },
  );
  expect(value).toBe("done");
  expect(console[0]).toBe(`${"[".repeat(100)}[Array]${"]".repeat(100)}`);
  expect(console).toHaveLength(2);
  expect(console.join("\n")).toHaveLength(1_999);
});
