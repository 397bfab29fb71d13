import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { bounds } from "../../src/limits.ts";
import {
  type CheckerOptions,
  type CheckerThread,
  checkerOf,
  createChecker,
  findCheckerFile,
} from "../../src/registry/checker.ts";
import { readSchema } from "../../src/registry/schema.ts";
import type { SchemaForm } from "../../src/registry/verdict.ts";

const path = fileURLToPath(new URL("fixtures/odd-checker.ts", import.meta.url));
const form = (name: string): SchemaForm => ({ json: { title: name }, dialect: "2020-12" });

/** A checker of the fixture's file, and checks of it as the texts that they end with. */
function open(options: Partial<CheckerOptions> = {}) {
  const checker = createChecker({ path, timeoutMs: 20_000, idleMs: 20_000, ...options });
  const notes = async (schema: SchemaForm, text: string, signal?: AbortSignal): Promise<readonly string[]> => {
    const answer = await checker.check(schema, text, signal);
    return "expected" in answer ? [answer.expected] : answer.notes;
  };
  return { checker, notes };
}

describe("checks away from the host's thread", () => {
  it("C2 one without end is ended by its time alone, and those that wait are answered by another thread", async () => {
    const { notes } = open({ timeoutMs: 2_000 });
    const schema = form("a");
    const [first] = await notes(schema, "1");
    const [hung, waited] = await Promise.all([notes(schema, '"hang"'), notes(schema, "2")]);
    expect(hung).toEqual(["a value that can be checked within 2000 ms"]);
    expect(waited.slice(1)).toEqual(["new", ""]);
    expect(waited[0]).not.toBe(first);
  });

  it("C2 one that takes too much memory is refused, and the next is answered", async () => {
    const { notes } = open({ heapMb: 32 });
    const [grown, next] = await Promise.all([notes(form("a"), '"grow"'), notes(form("b"), "1")]);
    expect(grown).toEqual(["a value that can be checked in 32 MB"]);
    expect(next[1]).toBe("new");
  });

  it.each([
    ["crash", "the checker failed: boom"],
    ["leave", "the checker failed: the thread ended"],
  ])("C2 a thread that fails by %s rejects the check and is replaced", async (text, message) => {
    const { notes } = open();
    const failed = notes(form("a"), JSON.stringify(text));
    const next = notes(form("a"), "1");
    await expect(failed).rejects.toThrow(message);
    expect((await next)[1]).toBe("new");
  });

  it("C2 a file that is not there rejects each check", async () => {
    const { checker } = open({ path: "/nowhere/checker.js" });
    await expect(checker.check(form("a"), "1")).rejects.toThrow("the checker failed: ");
    await expect(checker.check(form("a"), "1")).rejects.toThrow("the checker failed: ");
  });

  it("C2 schemas take turns, whoever asks the most", async () => {
    const { checker } = open();
    const [a, b] = [form("a"), form("b")];
    const order: string[] = [];
    const ask = (schema: SchemaForm, name: string) => checker.check(schema, "1").then(() => order.push(name));
    await Promise.all([ask(a, "a1"), ask(a, "a2"), ask(a, "a3"), ask(a, "a4"), ask(b, "b1"), ask(b, "b2")]);
    expect(order).toEqual(["a1", "a2", "b1", "a3", "b2", "a4"]);
  });

  it("C2 C6 one whose call was stopped no longer waits, and is not done", async () => {
    const { notes } = open();
    const controller = new AbortController();
    const first = notes(form("a"), "1");
    const stopped = notes(form("a"), '"crash"', controller.signal);
    const last = notes(form("b"), "1");
    controller.abort(new Error("the user left"));
    await expect(stopped).rejects.toThrow("the user left");
    expect((await first)[0]).toBe((await last)[0]);
    await expect(notes(form("a"), "1", controller.signal)).rejects.toThrow("the user left");
  });

  it("C2 a schema is sent once, and those used longest ago are forgotten", async () => {
    const { notes } = open();
    const forms = Array.from({ length: bounds.checkerSchemas }, (_, at) => form(`${at}`));
    for (const one of forms) expect((await notes(one, "1")).slice(1)).toEqual(["new", ""]);
    const [first, second] = forms as [SchemaForm, SchemaForm];
    expect((await notes(first, "1")).slice(1)).toEqual(["known", ""]);
    expect((await notes(form("more"), "1")).slice(1)).toEqual(["new", "2"]);
    expect((await notes(first, "1")).slice(1)).toEqual(["known", ""]);
    expect((await notes(second, "1")).slice(1)).toEqual(["new", "3"]);
  });

  it("C2 an idle thread ends", async () => {
    const { notes } = open({ idleMs: 1 });
    const [first] = await notes(form("a"), "1");
    await vi.waitFor(async () => expect((await notes(form("a"), "1"))[0]).not.toBe(first), 20_000);
  });

  it("C2 one thread serves the whole process", () => {
    const checker: CheckerThread = checkerOf(findCheckerFile());
    expect(checkerOf(findCheckerFile())).toBe(checker);
  });
});

describe("a verdict found away", () => {
  const schemas: readonly JsonObject[] = [
    { type: "object", properties: { a: { type: "string" }, b: { enum: [1, "x", null, { c: 1 }] } }, required: ["a"] },
    { additionalProperties: false, properties: { abc: { minimum: 3 }, list: { items: { type: "integer" } } } },
    { anyOf: [{ required: ["a"] }, { properties: { kind: { const: "k" } }, required: ["kind"] }] },
    { properties: { a: { pattern: "^x+$" }, list: { uniqueItems: true, contains: { type: "null" } } } },
    { $ref: "#/$defs/n", $defs: { n: { properties: { a: { $ref: "#/$defs/n" } }, unevaluatedProperties: false } } },
    { properties: { a: { $ref: "#/$defs/nowhere" } } },
    { $ref: "#" },
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record(
      {
        a: fc.oneof(fc.constant("x"), fc.jsonValue({ maxDepth: 1 })),
        b: fc.constantFrom(1, 2, "x", null),
        abc: fc.integer({ min: 0, max: 5 }),
        list: fc.array(fc.constantFrom(1, 2, "x", null), { maxLength: 4 }),
        kind: fc.constantFrom("k", "l"),
      },
      { requiredKeys: [] },
    ),
  );

  it.each(schemas)("C2 is the same as in place: %j", async (json) => {
    const told = { here: [] as string[], away: [] as string[] };
    const use = (to: string[]) => ({
      what: "t",
      io: "input" as const,
      warn: (message: string) => void to.push(message),
    });
    const here = readSchema(json, use(told.here));
    // Blanks make a text long enough to be checked away.
    const away = readSchema(json, use(told.away));
    const blanks = " ".repeat(bounds.charsInPlace);
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        await new Promise(setImmediate);
        const text = JSON.stringify(given);
        const read = JSON.parse(text) as JsonValue;
        expect(await away.parse(read, { text: text + blanks })).toEqual(await here.parse(read, { text }));
      }),
      { numRuns: 60 },
    );
    expect(told.away).toEqual(told.here);
  });
});
