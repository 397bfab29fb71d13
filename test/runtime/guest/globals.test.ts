import { afterAll, beforeAll, expect, it } from "vitest";
import { addedGlobals, engineGlobals, unavailable } from "../../../src/program-globals.ts";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const expected =
  "AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean " +
  "Buffer DOMException DataView Date DisposableStack Error EvalError Event EventTarget Float16Array Float32Array Float64Array " +
  "Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError " +
  "ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError TextDecoder TextEncoder ToolError TypeError " +
  "URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet WebSocket XMLHttpRequest " +
  "atob btoa clearInterval clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval " +
  "fetch fs globalThis isFinite isNaN module parseFloat parseInt performance process queueMicrotask require results setImmediate " +
  "setInterval setTimeout show state structuredClone tools undefined unescape";

it("X2 X4 the globals of a program are exactly these", async () => {
  const { value } = await guests.run("return Reflect.ownKeys(globalThis).map(String).sort().join(' ')");
  expect(value).toBe(expected);
});

it("X4 the lists that make the globals say the same", () => {
  const listed = [...engineGlobals, ...addedGlobals, ...unavailable.map(({ name }) => name)];
  expect(listed.sort().join(" ")).toBe(expected);
});

it("X2 what escapes memory limits, time or replay is gone, from prototypes too", async () => {
  const { value } = await guests.run(`
    const buffer = new ArrayBuffer(4, { maxByteLength: 1 << 20 });
    class Own extends ArrayBuffer {}
    const own = new Own(4, { maxByteLength: 1 << 20 });
    return {
      names: Object.getOwnPropertyNames(ArrayBuffer.prototype).sort(),
      sizes: [buffer.byteLength, own.byteLength, buffer.resizable, own.maxByteLength],
      same: [buffer.constructor === ArrayBuffer, new Uint8Array(1).buffer.constructor === ArrayBuffer, own instanceof Own],
      statics: [ArrayBuffer.isView(new Uint8Array(1)), ArrayBuffer[Symbol.species] === ArrayBuffer, ArrayBuffer.name],
      bare: (() => { try { return ArrayBuffer(1) } catch (error) { return error.message } })(),
      gone: ["WebAssembly", "SharedArrayBuffer", "Atomics", "FinalizationRegistry", "WeakRef", "ShadowRealm", "Temporal"].filter((name) => name in globalThis),
      temporal: "toTemporalInstant" in Date.prototype,
    }`);
  expect(value).toEqual({
    names: ["byteLength", "constructor", "detached", "slice"],
    sizes: [4, 4, null, null],
    same: [true, true, true],
    statics: [true, true, "ArrayBuffer"],
    bare: "Constructor ArrayBuffer requires 'new'",
    gone: [],
    temporal: false,
  });
});

it.each([
  [
    "fetch('http://a')",
    "fetch is not available in a program: call one of the tools instead: `await tools.<name>(args)`",
  ],
  [
    "require('fs')",
    "require is not available in a program: modules cannot be loaded: use the standard globals and `tools.<name>(args)`",
  ],
  [
    "process.env.HOME",
    "process is not available in a program: take values from the task or from a tool, and end the program with `return <value>`",
  ],
  [
    "'env' in process",
    "process is not available in a program: take values from the task or from a tool, and end the program with `return <value>`",
  ],
  [
    "Buffer.from('a')",
    "Buffer is not available in a program: use Uint8Array with TextEncoder and TextDecoder, or atob and btoa for base64",
  ],
  [
    "new Buffer(1)",
    "Buffer is not available in a program: use Uint8Array with TextEncoder and TextDecoder, or atob and btoa for base64",
  ],
  [
    "fs.readFileSync('x')",
    "fs is not available in a program: read and write files with one of the tools: `await tools.<name>(args)`",
  ],
  [
    "new XMLHttpRequest()",
    "XMLHttpRequest is not available in a program: call one of the tools instead: `await tools.<name>(args)`",
  ],
  [
    "module.exports = 1",
    "module is not available in a program: end the program with `return <value>` instead of exporting",
  ],
])("X4 %s throws one sentence that names the way to do it here", async (expression, message) => {
  const { error } = await guests.run(`\n  ${expression}`);
  expect(error).toMatchObject({ name: "ReferenceError", message });
  expect(error?.stack).toMatch(/^.*\n {4}at program\.ts:2:\d+$/);
});

it("X4 asking for the type of what is not there does no harm", async () => {
  const { value } = await guests.run(
    "return [typeof fetch, typeof require, typeof process, typeof Buffer, typeof fs, typeof Deno, fetch.name]",
  );
  expect(value).toEqual(["function", "function", "object", "function", "object", "undefined", "fetch"]);
});

it("X2 nothing of the host is reachable", async () => {
  const { value } = await guests.run(`
    const made = Function("return typeof globalThis.process.constructor");
    return [
      (() => { try { return made() } catch (error) { return error.name } })(),
      typeof Function("return this")().ivm,
      await import("node:fs").then(() => "imported", (error) => error.message),
    ]`);
  expect(value).toEqual(["ReferenceError", "undefined", "Not supported"]);
});
