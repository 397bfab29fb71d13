// Programs that try to outlive, mislead or flood what runs them.
import type { Hostile } from "./range.ts";

const spin = "for (;;);";
const traps = `{ get() { ${spin} }, has() { ${spin} }, ownKeys() { ${spin} }, getPrototypeOf() { ${spin} }, getOwnPropertyDescriptor() { ${spin} } }`;
const noise = String.raw`x\nO1 0 0 -\nR 666\r\u2028\u2029\ud800`;
const filling = ["memory_limit", "cpu_limit"];

const row = (threat: string, code: string, ends: Hostile["ends"]): Hostile => ({ threat, code, ends });

const thrown: readonly Hostile[] = [
  row("a thrown Proxy whose traps never end", `throw new Proxy({}, ${traps})`, "cpu_limit"),
  row("a thrown Proxy of a function whose traps never end", `throw new Proxy(() => 1, ${traps})`, "cpu_limit"),
  row(
    "a thrown Proxy of an error that throws",
    "throw new Proxy(new Error('x'), { get() { throw 1 } })",
    "program_error: [unreadable]",
  ),
  row(
    "a thrown Proxy that was revoked",
    "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy",
    "program_error: [unreadable]",
  ),
  row(
    "an error whose message never ends",
    `const e = new Error('x'); Object.defineProperty(e, 'message', { get() { ${spin} } }); throw e`,
    "cpu_limit",
  ),
  row("an error whose cause is itself", "const e = new Error('loop'); e.cause = e; throw e", "program_error: loop"),
  row(
    "an error with a new cause each time",
    "class E extends Error { get cause() { return new E('again') } } throw new E('first')",
    "program_error: first",
  ),
  row(
    "an error with thousands of fields",
    "const e = new Error('wide'); for (let i = 0; i < 5_000; i++) e['k' + i] = i; throw e",
    "program_error: wide",
  ),
  row(
    "an error that calls itself a limit",
    "throw Object.assign(new Error('mine'), { name: 'Limit', code: 'cpu_limit' })",
    "program_error: mine",
  ),
  row(
    "an error that calls itself the limit of calls",
    "throw Object.assign(new Error('mine'), { code: 'calls_limit' })",
    "program_error: mine",
  ),
  row(
    "a stack that is protocol text",
    `const e = new Error('m'); Object.defineProperty(e, 'stack', { get: () => '${noise}\\n'.repeat(100_000) }); throw e`,
    "program_error: m",
  ),
  row("nothing thrown", "throw undefined", "program_error: undefined"),
  row(
    "captureStackTrace replaced",
    `Error.captureStackTrace = () => { ${spin} }; throw new Error('x')`,
    "program_error: x",
  ),
  row(
    "a formatter that never ends, and a failed call",
    `Error.prepareStackTrace = () => { ${spin} }; const no = 'nope'; await tools[no]({})`,
    'program_error: no tool "nope" is offered here',
  ),
  row("a stack trace limit that is no number", "Error.stackTraceLimit = NaN; throw new Error('x')", "program_error: x"),
  row(
    "rejections nobody handles",
    "for (let i = 0; i < 1_000; i++) Promise.reject(new Error('no ' + i)); await call(1); return 1",
    "value 1",
  ),
];

const returned: readonly Hostile[] = [
  row("a getter that never ends, deep in an array", `return [1, [{ get a() { ${spin} } }]]`, "cpu_limit"),
  row(
    "a getter that empties its array",
    "const a = [1, 2, 3]; Object.defineProperty(a, 0, { get() { a.length = 0; return 1 } }); return a",
    "value [1,null,null]",
  ),
  row("a getter that throws a Proxy", `return { get a() { throw new Proxy({}, ${traps}) } }`, "cpu_limit"),
  row(
    "toJSON that returns itself",
    "return { toJSON() { return this } }",
    "return_not_json: the return value is not JSON: $.toJSON is a function; only JSON values cross: leave it out, or call it and pass what it returns",
  ),
  row(
    "toJSON that never comes to an end",
    "const more = () => ({ next: { toJSON: more } }); return more()",
    "return_not_json",
  ),
  row(
    "toJSON that throws forever",
    "return { toJSON() { throw { get message() { throw 1 } } } }",
    "return_not_json: the return value is not JSON: $ cannot be read: an error that cannot be read",
  ),
  row(
    "a Set that grows while it is read",
    "const s = new Set(); const grow = () => { s.add({ toJSON: grow }); return 1 }; grow(); return s",
    "value [1]",
  ),
  row(
    "a Map that grows while it is read",
    "const m = new Map(); let n = 0; const grow = () => { m.set('k' + n++, { toJSON: grow }); return 1 }; grow(); return m",
    'value {"k0":1}',
  ),
  row(
    "an array that lies about its length",
    "return new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 31 : 1) })",
    "return_too_large: the return value is over 16777216 characters of JSON",
  ),
  row(
    "a Proxy that was revoked",
    "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy]",
    "return_not_json",
  ),
  row("a Proxy whose prototype never ends", `return new Proxy({}, { getPrototypeOf() { ${spin} } })`, "cpu_limit"),
  row("a key longer than may be returned", "return { ['k'.repeat(300_000)]: 1 }", "value {}"),
  row(
    "a key that is a prototype",
    'return JSON.parse(\'{"__proto__":{"polluted":1}}\')',
    'value {"__proto__":{"polluted":1}}',
  ),
  row(
    "dates beyond time",
    "return [new Date(8.64e15), new Date(-8.64e15)]",
    'value ["+275760-09-13T00:00:00.000Z","-271821-04-20T00:00:00.000Z"]',
  ),
  row(
    "a date with methods of its own",
    "Date.prototype.toISOString = () => 'forged'; Date.prototype.getTime = () => 5; return new Date(0)",
    'value "1970-01-01T00:00:00.000Z"',
  ),
  row(
    "an invalid date",
    "return new Date(8.64e15 + 1)",
    "return_not_json: the return value is not JSON: $ is an invalid Date",
  ),
  row("a lone surrogate", String.raw`return '\ud800'`, String.raw`value "\ud800"`),
];

const thenables: readonly Hostile[] = [
  row("a thenable that resolves to itself", "const t = { then(ok) { ok(t) } }; return t", "cpu_limit"),
  row("a thenable that settles three times", "return { then(ok, no) { ok(1); ok(2); no(3) } }", "value 1"),
  row("a thenable that throws after it resolved", "return { then(ok) { ok(1); throw 2 } }", "value 1"),
  row("a thenable that never settles, returned", "return { then() {} }", "deadlock"),
  row("a thenable that never settles, awaited", "await { then() {} }", "deadlock"),
  row("a then that throws when read", "return { get then() { throw new Error('boom') } }", "program_error: boom"),
  row(
    "a then that answers otherwise each time it is read",
    "let n = 0; return { get then() { n += 1; return n < 3 ? (ok) => ok(this) : undefined }, n: 1 }",
    'value {"n":1}',
  ),
  row(
    "Object.prototype as a thenable",
    "Object.prototype.then = function (ok) { delete Object.prototype.then; ok({ x: 'mine' }) }; return call(5)",
    'value "mine"',
  ),
  row(
    "a species that never ends",
    `class P extends Promise { static get [Symbol.species]() { ${spin} } } return P.resolve(1).then(() => 2)`,
    "cpu_limit",
  ),
  row(
    "a subclass that settles nothing",
    "class P extends Promise { constructor(f) { super(() => {}) } } return P.resolve(1)",
    "program_error: Promise resolve or reject function is not callable",
  ),
  row(
    "async functions that call each other forever",
    "const f = async () => { await null; return f() }; return f()",
    filling,
  ),
  row(
    "waiting for itself",
    "const p = Promise.resolve().then(() => p); return p",
    "program_error: Chaining cycle detected for promise #<Promise>",
  ),
];

const poisoned: readonly Hostile[] = [
  row(
    "Object.prototype with every name that is read",
    "for (const key of ['more', 'dropped', 'bytes', 'json', 'path', 'kept', 'of', 'key', 'at', 'end', 'share', 'toJSON', 'x']) Object.defineProperty(Object.prototype, key, { get() { return 666 }, set() { throw 1 }, configurable: true }); return [await call(5), 'x'.repeat(300_000).length]",
    "value [5,300000]",
  ),
  row(
    "Array.prototype with setters for indices",
    "for (let i = 0; i < 50; i++) Object.defineProperty(Array.prototype, i, { get: () => 'R 666', set() { throw 1 } }); return [await call([1, 2])]",
    "value [[1,2]]",
  ),
  row(
    "Array with another species",
    "class A extends Array { static get [Symbol.species]() { throw 1 } } return [await call(A.from([1, 2])), A.from([3])]",
    "value [[1,2],[3]]",
  ),
  row(
    "Map.prototype emptied",
    "for (const key of Reflect.ownKeys(Map.prototype)) delete Map.prototype[key]; return [await call(1), new Map([])]",
    "program_error: 'undefined' returned for property 'set' of object '#<Object>' is not a function",
  ),
  row(
    "Array iteration replaced",
    "Array.prototype[Symbol.iterator] = function* () { for (;;) yield 666 }; return [await call([1]), 2]",
    "value [[1],2]",
  ),
  row("Promise replaced", "globalThis.Promise = function () { throw 1 }; return call(5)", "value 5"),
  row(
    "JSON and String replaced",
    "globalThis.JSON = globalThis.String = globalThis.Reflect = globalThis.Object = null; return call(5)",
    "value 5",
  ),
  row(
    "RegExp.prototype.exec that never ends",
    `RegExp.prototype.exec = () => { ${spin} }; console.log(/x/); return call({ 'a b': 5 })`,
    'value {"a b":5}',
  ),
  row("globalThis frozen", "Object.freeze(globalThis); return call(5)", "value 5"),
];

const floods: readonly Hostile[] = [
  row(
    "microtasks that queue themselves",
    "const f = () => queueMicrotask(f); f(); await new Promise(() => {})",
    "cpu_limit",
  ),
  row(
    "twice as many microtasks each time",
    "const f = () => { queueMicrotask(f); queueMicrotask(f) }; f(); await call(1)",
    filling,
  ),
  row(
    "timers",
    "for (;;) setTimeout(() => {}, 1e9)",
    "program_error: a program has at most 1000 timers at a time: await some of them first",
  ),
  row(
    "a timer that starts itself anew",
    "const again = () => setTimeout(again, 0); again(); await new Promise(() => {})",
    "wall_limit",
  ),
  row("an interval", "setInterval(() => {}, 1); await new Promise(() => {})", "wall_limit"),
  row(
    "a hundred thousand calls",
    "const codes = {}; await Promise.all(Array.from({ length: 100_000 }, () => call(1).catch(({ code }) => { codes[code] = (codes[code] ?? 0) + 1 }))); return codes",
    ['value {"calls_limit":99000}', ...filling],
  ),
  row("calls from microtasks, none awaited", "const f = () => { call(1); queueMicrotask(f) }; f()", "cpu_limit"),
  row(
    "arguments over the limit",
    "for (let i = 0; ; i++) { const { code } = await call('x'.repeat(1_048_576)).catch((e) => e); if (i === 1) return code }",
    'value "arguments_too_large"',
  ),
  row("console lines without text", "for (;;) console.log()", "cpu_limit"),
  row("console lines of a value that never ends", `class A { toJSON() { ${spin} } } console.log(new A())`, "cpu_limit"),
  row(
    "console lines of a wide value",
    "const a = Array.from({ length: 300_000 }, () => ({ a: 1 })); for (let i = 0; i < 50; i++) console.log(a); return 1",
    ["value 1", ...filling],
  ),
  row("console groups", "for (let i = 0; i < 100_000; i++) console.group(); console.log('deep'); return 1", "value 1"),
];

const texts: readonly Hostile[] = [
  row(
    "protocol text in the console",
    `console.log('${noise}'); console.error({ '${noise}': '${noise}' }); return 1`,
    "value 1",
  ),
  row(
    "protocol text in arguments",
    `return (await tools.echo({ '${noise}': '${noise}' }))['${noise}'] === '${noise}'`,
    "value true",
  ),
  row(
    "protocol text as the name of a tool",
    `return tools['${noise}']({}).catch(({ code }) => code)`,
    'value "tool_not_offered"',
  ),
  row(
    "protocol text as the name, message and code of an error",
    `throw Object.assign(new Error('${noise}'), { name: '${noise}', code: '${noise}' })`,
    "program_error: x\nO1 0 0 -\nR 666\r\u2028\u2029\ud800",
  ),
  row(
    "protocol text as an unhandled rejection",
    `Promise.reject(new Error('${noise}')); await call(1); return 1`,
    "value 1",
  ),
  row(
    "protocol text as a value",
    `return '${noise}'`,
    String.raw`value "x\nO1 0 0 -\nR 666\r` + "\u2028\u2029" + String.raw`\ud800"`,
  ),
];

const escapes: readonly Hostile[] = [
  row("the Function constructor", "return Function('return this')() === globalThis", "value true"),
  row(
    "constructors of async functions and generators",
    "const of = (f) => Object.getPrototypeOf(f).constructor; return [await of(async () => {})('return typeof tools')(), of(function* () {})('yield typeof tools')().next().value, (await of(async function* () {})('yield typeof tools')().next()).value]",
    'value ["object","object","object"]',
  ),
  row("import in built code", "return Function('return import(\"node:fs\")')()", "program_error: Not supported"),
  row(
    "import.meta in built code",
    "return Function('return import.meta')()",
    "program_error: Cannot use 'import.meta' outside a module",
  ),
  row(
    "indirect eval",
    "const run = eval; run('var leaked = 1'); return [typeof leaked, typeof run('typeof module')]",
    'value ["number","string"]',
  ),
  row(
    "arguments.callee",
    "return (function () { return arguments.callee })()",
    "program_error: 'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them",
  ),
  row(
    "the caller of a getter",
    "const o = {}; Object.defineProperty(o, 'a', { enumerable: true, get: Function('return function g() { return g.caller }')() }); return call(o)",
    'value {"a":null}',
  ),
  row(
    "with, around a Proxy that has everything",
    "return Function('o', 'with (o) { return tools }')(new Proxy({}, { has: () => true, get: (_, key) => (key === Symbol.unscopables ? undefined : 'mine') }))",
    'value "mine"',
  ),
  row(
    "constructors up the chain of a tool",
    "return tools.echo.constructor.constructor('return this')() === globalThis",
    "value true",
  ),
  row(
    "constructors up the chain of a result",
    "return (await tools.echo({})).constructor.constructor('return this')() === globalThis",
    "value true",
  ),
  row(
    "the realm of a failed call",
    "const no = 'nope'; return tools[no]({}).catch((e) => e.constructor.constructor('return this')() === globalThis)",
    "value true",
  ),
  row(
    "a prototype in a result",
    'const r = await tools.echo(JSON.parse(\'{"__proto__":{"polluted":1}}\')); return [r.polluted ?? null, {}.polluted ?? null, Object.keys(r)]',
    'value [null,null,["__proto__"]]',
  ),
];

const control: readonly Hostile[] = [
  row("finally that goes on", `for (;;) { try { ${spin} } finally { continue } }`, "cpu_limit"),
  row("catch that goes on, after an await", `await call(1); for (;;) { try { ${spin} } catch {} }`, "cpu_limit"),
  row("labels", "outer: for (;;) { for (;;) { try { break outer } finally { continue outer } } }", "cpu_limit"),
  row(
    "a generator whose end never ends",
    `function* g() { try { yield 1 } finally { ${spin} } } for (const x of g()) break; return 1`,
    "cpu_limit",
  ),
  row(
    "a generator that yields at its end",
    "function* g() { try { yield 1 } finally { yield 2 } } for (const x of g()) break; return 1",
    "value 1",
  ),
  row(
    "an async iterator that gives nothing",
    "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });",
    "deadlock",
  ),
  row(
    "an async iterator that gives no result",
    "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => 5 }) });",
    "program_error: Iterator result 5 is not an object",
  ),
  row(
    "an async generator that never ends",
    "async function* g() { for (;;) yield 1 } for await (const x of g()); return 1",
    "cpu_limit",
  ),
  row(
    "a disposer that throws over an error",
    "{ using r = { [Symbol.dispose]() { throw new Error('d') } }; throw new Error('b') }",
    "program_error: An error was suppressed during disposal",
  ),
  row("a disposer that never ends", `{ using r = { [Symbol.dispose]() { ${spin} } } } return 1`, "cpu_limit"),
  row(
    "an async disposer that never settles",
    "{ await using r = { [Symbol.asyncDispose]: () => new Promise(() => {}) } } return 1",
    "deadlock",
  ),
  row(
    "recursion in a getter",
    "const o = { get a() { return this.a } }; return o.a",
    "program_error: Maximum call stack size exceeded",
  ),
  row("recursion caught at every level", "const f = () => { try { f() } finally { f() } }; f()", "cpu_limit"),
];

const parts: readonly Hostile[] = [
  row(
    "arguments whose traps throw",
    "await call(new Proxy({}, { ownKeys() { throw new Error('trap') } }))",
    "program_error: the arguments of tools.echo are not JSON: $.x cannot be read: trap",
  ),
  row("arguments whose traps never end", `await call(new Proxy({}, ${traps}))`, "cpu_limit"),
  row(
    "arguments that are only hidden keys",
    "return call({ [Symbol.toPrimitive]() { throw 1 }, [Symbol.iterator]: 1 })",
    "value {}",
  ),
  row(
    "arguments too deep",
    "let d = 1; for (let i = 0; i < 5_000; i++) d = [d]; return call(d).catch(({ code }) => code)",
    'value "arguments_not_json"',
  ),
  row(
    "a value as deep as it may be",
    "let d = 1; for (let i = 0; i < 900; i++) d = [d]; return JSON.stringify(await call(d)) === JSON.stringify(d)",
    "value true",
  ),
  row("a regular expression that tries everything", "return /(x+x+)+y/.test('x'.repeat(40))", "cpu_limit"),
  row(
    "a regular expression that matches in too many ways",
    "return /^(\\w+\\s?)*$/.test('a'.repeat(40) + '!')",
    "cpu_limit",
  ),
  row("a replacement that never ends", "return 'a'.replace(/a/g, () => { for (;;); })", "cpu_limit"),
  row(
    "a locale that is none",
    "return new Intl.DateTimeFormat('!!').format(0)",
    "program_error: Incorrect locale information provided",
  ),
  row(
    "a number with more digits than there are",
    "return (1).toFixed(101)",
    "program_error: toFixed() digits argument must be between 0 and 100",
  ),
  row(
    "a host name that is slow to encode",
    "return new URL('http://' + Array.from({ length: 30_000 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 20_000))).join('') + '.com').host.length",
    "cpu_limit",
  ),
  row(
    "a clone of a deep value",
    "let d = {}; for (let i = 0; i < 100_000; i++) d = { d }; return structuredClone(d)",
    "program_error: Maximum call stack size exceeded",
  ),
  row(
    "a signal whose listener throws",
    "const c = new AbortController(); c.signal.addEventListener('abort', () => { throw new Error('late') }); c.abort(); return c.signal.aborted",
    "value true",
  ),
  row(
    "a sort that never agrees with itself",
    "return Array.from({ length: 1_000 }, (_, i) => i).sort(() => 1).length",
    "value 1000",
  ),
  row(
    "a name of a million characters",
    "const o = { ['f'.repeat(1_000_000)]() {} }; console.log(Object.values(o)[0]); return 1",
    "value 1",
  ),
  row(
    "a name of a tool of a million characters",
    "return tools['t'.repeat(1_000_000)]({}).catch(({ code, message }) => [code, message.length < 1_000])",
    'value ["tool_not_offered",true]',
  ),
];

export const own: readonly Hostile[] = [
  ...thrown,
  ...returned,
  ...thenables,
  ...poisoned,
  ...floods,
  ...texts,
  ...escapes,
  ...control,
  ...parts,
];
