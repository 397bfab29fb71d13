import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const value = async (js: string): Promise<unknown> => {
  const { value: got, error } = await guests.run(js);
  return error ?? got;
};

it("X4 TextEncoder and TextDecoder round-trip UTF-8, lone surrogates replaced", async () => {
  expect(
    await value(`
      const text = "aé日😀\\ud800x";
      const bytes = new TextEncoder().encode(text);
      const into = new Uint8Array(4);
      return [Array.from(bytes).join(), new TextDecoder().decode(bytes), new TextEncoder().encodeInto("é日", into), Array.from(into), new TextEncoder().encode().length, new TextEncoder().encoding]`),
  ).toEqual([
    "97,195,169,230,151,165,240,159,152,128,239,191,189,120",
    "aé日😀\ufffdx",
    { read: 1, written: 2 },
    [195, 169, 0, 0],
    0,
    "utf-8",
  ]);
});

it("X4 TextDecoder does as the platform does, for any bytes, whole and in parts", async () => {
  const samples = [
    [0xff, 0x61],
    [0xe2, 0x82],
    [0xf0, 0x9f, 0x98, 0x61],
    [0xed, 0xa0, 0x80],
    [0xc0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xef, 0xbb, 0xbf, 0x41],
    [0xe0, 0x80, 0x80],
    [0x80, 0xbf, 0x41],
  ];
  let seed = 7;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 8;
  for (let i = 0; i < 200; i += 1)
    samples.push(
      Array.from(
        { length: next() % 9 },
        () => [0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0x9f, 0x90, 0xff][next() % 11] ?? 0,
      ),
    );
  const expected = samples.map((bytes) => [
    new TextDecoder().decode(new Uint8Array(bytes)),
    new TextDecoder("utf-16le").decode(new Uint8Array(bytes.slice(0, bytes.length & ~1))),
  ]);
  const js = `return ${JSON.stringify(samples)}.map((bytes) => {
    const parts = new TextDecoder(); let text = "";
    for (const byte of bytes) text += parts.decode(new Uint8Array([byte]), { stream: true });
    const whole = new TextDecoder().decode(new Uint8Array(bytes));
    if (text + parts.decode() !== whole) throw new Error("parts differ: " + bytes);
    return [whole, new TextDecoder("utf-16le").decode(new Uint8Array(bytes.slice(0, bytes.length & ~1)))];
  })`;
  // Lone surrogates of UTF-16 are kept by the guest and replaced by the platform.
  const well = (rows: unknown): unknown => (rows as string[][]).map((row) => row.map((text) => text.toWellFormed()));
  expect(well(await value(js))).toEqual(well(expected));
});

it("X4 TextDecoder: fatal, ignoreBOM, latin1, views, unknown labels", async () => {
  expect(
    await value(`
      const attempt = (run) => { try { return run() } catch (error) { return error.name + ": " + error.message } };
      const view = new DataView(new Uint8Array([1, 97, 98]).buffer, 1);
      return [
        attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))),
        new TextDecoder("utf8", { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 97])).length,
        new TextDecoder("latin1").decode(new Uint8Array([0x80, 0xe9])), new TextDecoder("Latin1").encoding,
        new TextDecoder().decode(view), new TextDecoder().decode(new Uint8Array([97]).buffer), new TextDecoder().decode(),
        attempt(() => new TextDecoder("klingon")), attempt(() => new TextDecoder().decode("x")),
      ]`),
  ).toEqual([
    "TypeError: the bytes are not valid utf-8",
    2,
    "€é",
    "windows-1252",
    "ab",
    "a",
    "",
    'RangeError: TextDecoder does not know the encoding "klingon"; it knows utf-8, utf-16le, latin1',
    "TypeError: TextDecoder.decode takes an ArrayBuffer or a view of one, e.g. a Uint8Array",
  ]);
});

it("X4 atob and btoa do as the platform does", async () => {
  const texts = ["", "a", "ab", "abc", "héllo", "\u0000\u00ff"];
  const codes = ["", "YQ==", " Y W\nI", "YWI", "YWJj", "a", "YQ=", "=", "Y===", "Y*Q=", "ab\u00a0cd"];
  const attempt = (run: () => string): string => {
    try {
      return run();
    } catch (error) {
      return error instanceof Error ? error.name : "";
    }
  };
  const js = `const attempt = (run) => { try { return run() } catch (error) { return error.name } };
    return [${JSON.stringify(texts)}.map((text) => btoa(text)), ${JSON.stringify(codes)}.map((code) => attempt(() => atob(code))), attempt(() => btoa("日"))]`;
  expect(await value(js)).toEqual([
    texts.map((text) => btoa(text)),
    codes.map((code) => attempt(() => atob(code))),
    "InvalidCharacterError",
  ]);
});

it("X4 AbortController, AbortSignal and events", async () => {
  expect(
    await value(`
      const out = [];
      const controller = new AbortController();
      const { signal } = controller;
      signal.addEventListener("abort", (event) => out.push(event.type, event.target === signal), { once: true });
      signal.onabort = () => out.push("onabort");
      const any = AbortSignal.any([new AbortController().signal, signal]);
      signal.throwIfAborted();
      controller.abort(); controller.abort("again");
      out.push(signal.aborted, signal.reason.name, signal.reason.code, any.aborted, any.reason === signal.reason, AbortSignal.abort("why").reason);
      try { signal.throwIfAborted() } catch (error) { out.push(error === signal.reason, error instanceof DOMException, error instanceof Error) }
      const timeout = AbortSignal.timeout(5);
      await new Promise((resolve) => timeout.addEventListener("abort", resolve));
      out.push(timeout.reason.name);
      try { new AbortSignal() } catch (error) { out.push(error.message) }
      return out`),
  ).toEqual([
    "abort",
    true,
    "onabort",
    true,
    "AbortError",
    20,
    true,
    true,
    "why",
    true,
    true,
    true,
    "TimeoutError",
    "make a signal with new AbortController() or AbortSignal.timeout(ms)",
  ]);
});

it("X4 EventTarget: once, removal, cancel, stop, handler objects, a signal", async () => {
  expect(
    await value(`
      const out = []; const target = new EventTarget(); const stop = new AbortController();
      const seen = (name) => (event) => { out.push(name) };
      const first = seen("first");
      target.addEventListener("x", first); target.addEventListener("x", first);
      target.addEventListener("x", seen("once"), { once: true });
      target.addEventListener("x", { handleEvent(event) { event.preventDefault(); out.push("object") } });
      target.addEventListener("x", seen("signal"), { signal: stop.signal });
      out.push(target.dispatchEvent(new Event("x", { cancelable: true })));
      stop.abort(); target.removeEventListener("x", first);
      target.addEventListener("x", (event) => { event.stopImmediatePropagation(); out.push("stop") });
      target.addEventListener("x", seen("never"));
      out.push(target.dispatchEvent(new Event("x")), target.dispatchEvent(new Event("y")), Reflect.ownKeys(Event).includes("isStopped"));
      return out`),
  ).toEqual(["first", "once", "object", "signal", false, "object", "stop", true, true, false]);
});

it("X4 structuredClone copies data and cycles, and refuses what is none", async () => {
  expect(
    await value(`
      const original = { list: [1, , { at: new Date(0) }], map: new Map([[{ k: 1 }, new Set(["a"])]]), bytes: new Uint8Array([1, 2, 3]).subarray(1), error: new TypeError("bad", { cause: 1 }), pattern: /a/gi, point: new (class Point { x = 1 }), big: 5n, boxed: Object(1) };
      original.self = original; original.again = original.list;
      const copy = structuredClone(original);
      original.bytes[0] = 9;
      const attempt = (given) => { try { structuredClone(given); return "copied" } catch (error) { return error.name + ": " + error.message } };
      return [copy !== original, copy.self === copy, copy.again === copy.list, 1 in copy.list, copy.list[2].at.getTime(), [...copy.map][0][0].k, [...copy.map][0][1].has("a"), [...copy.bytes], copy.bytes.byteOffset,
        copy.error instanceof TypeError, copy.error.message, copy.error.cause, copy.error.stack === original.error.stack, String(copy.pattern), copy.point.x, copy.point.constructor === Object, copy.big === 5n, typeof copy.boxed,
        attempt({ f: () => 1 }), attempt(Symbol("s")), attempt([Promise.resolve()]), attempt(new WeakMap())]`),
  ).toEqual([
    true,
    true,
    true,
    false,
    0,
    1,
    true,
    [2, 3],
    1,
    true,
    "bad",
    1,
    true,
    "/a/gi",
    1,
    true,
    true,
    "object",
    "DataCloneError: () => 1 could not be cloned",
    "DataCloneError: Symbol(s) could not be cloned",
    "DataCloneError: #<Promise> could not be cloned",
    "DataCloneError: #<WeakMap> could not be cloned",
  ]);
});

it("X4 DOMException has name, code and a stack of the program", async () => {
  expect(
    await value(
      "const e = new DOMException('m', 'AbortError'); return [e.name, e.message, e.code, String(e), new DOMException().name, new DOMException('', 'toString').code, e.stack]",
    ),
  ).toEqual(["AbortError", "m", 20, "AbortError: m", "Error", 0, "AbortError: m\n    at program.ts:1:25"]);
});

it("X9 errors of the platform's functions begin in the program's text", async () => {
  expect(
    await value(`
      const stacks = [];
      for (const run of [() => atob("*"), () => btoa("日"), () => structuredClone(() => 1), () => new TextDecoder("x"), () => setTimeout(1), () => new AbortSignal(), () => crypto.getRandomValues(1)]) {
        try { run() } catch (error) { stacks.push(error.stack.split("\\n")[1].replace(/:\\d+\\)?$/, "")) }
      }
      return stacks`),
  ).toEqual(
    Array.from({ length: 7 }, () => "    at run (program.ts:3").map((_, index) =>
      index === 99 ? "" : "    at program.ts:3",
    ),
  );
});
