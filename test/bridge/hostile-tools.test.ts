import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { parseJson } from "../../src/json.ts";
import { bounds } from "../../src/limits.ts";
import type { AnyTool } from "../../src/registry/tool.ts";
import { deferred, openFixture, settled } from "./fixture.ts";

const tool = (execute: AnyTool["execute"], more: Partial<AnyTool> = {}): AnyTool => ({
  name: "odd",
  description: "Returns something odd",
  inputSchema: { type: "object" },
  execute,
  ...more,
});

const trap = (): never => {
  throw new Error("trap");
};

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `row number ${id}`, ok: true }));
const rowSchema = (id: object) => ({ type: "array", items: { type: "object", properties: { id }, required: ["id"] } });

const isFrozen = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

/** What a call came to, and how many turns of the event loop went by until then. */
async function countTurns<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await run();
  isOver = true;
  return { result, turns };
}

describe("hostile results", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const sparse: unknown[] = [];
  sparse[2] = 1;

  it.each<[string, () => unknown, string]>([
    ["a key __proto__ (G7)", () => parseJson('{"__proto__":{"a":1},"b":2}'), '{"__proto__":{"a":1},"b":2}'],
    [
      "frozen names of prototypes (G3)",
      () => Object.freeze({ toString: "x", toJSON: 1 }),
      '{"toString":"x","toJSON":1}',
    ],
    [
      "getters",
      () => ({
        get a() {
          return [1];
        },
      }),
      '{"a":[1]}',
    ],
    ["a Proxy", () => new Proxy({ a: 1 }, {}), '{"a":1}'],
    ["a toJSON that gives a Set", () => ({ toJSON: () => new Set([1n]) }), '["1"]'],
    ["a Date (G4)", () => ({ at: new Date(0) }), '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["undefined properties (G5)", () => [{ a: 1, b: undefined }], '[{"a":1}]'],
    ["bytes (G6)", () => ({ data: new Uint8Array([1, 2]) }), '{"data":[1,2]}'],
    ["a typed array (G7)", () => new Int8Array([-1]), "[-1]"],
    ["holes", () => sparse, "[null,null,1]"],
    ["BigInt (G13)", () => ({ n: 1n }), '{"n":"1"}'],
  ])("C7 %s crosses by the table", async (_what, execute, json) => {
    const fixture = openFixture({ tools: [tool(execute)] });
    expect(await fixture.request("odd")).toEqual({ status: "ok", effect: "done", json, bytes: json.length });
  });

  it.each<[string, () => unknown, string]>([
    ["a cycle (G1, G13)", () => cycle, "$.self refers back to $; JSON cannot hold a cycle"],
    [
      "a promise within (G8)",
      () => [Promise.resolve(1)],
      "$[0] is a promise; await it first (await Promise.all(list) for a list of them)",
    ],
    [
      "a getter that throws",
      () => ({
        a: {
          get b() {
            return trap();
          },
        },
      }),
      "$.a cannot be read: trap",
    ],
    ["a Proxy that throws", () => ({ a: new Proxy({}, { ownKeys: trap }) }), "$.a cannot be read: trap"],
    [
      "a revoked Proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return [proxy];
      },
      "$[0] cannot be read: Cannot perform 'IsArray' on a proxy that has been revoked",
    ],
    [
      "a length that is a lie",
      () => [new Proxy([], { get: (_target, key) => (key === "length" ? "x" : undefined) })],
      "$[0] is an array of a length that is none",
    ],
    ["a toJSON that throws", () => ({ a: { toJSON: trap } }), "$.a cannot be read: trap"],
    [
      "a thrown Proxy from a getter",
      () => ({
        get a() {
          throw new Proxy({}, { get: trap });
        },
      }),
      "$ cannot be read: an error that cannot be read",
    ],
  ])("C7 %s is told as a result that cannot be told, and the effect as done", async (_what, execute, reason) => {
    const fixture = openFixture({ tools: [tool(execute)] });
    expect(await fixture.request("odd")).toEqual({
      status: "error",
      effect: "done",
      failure: { code: "result_not_json", message: `odd ran, but its result cannot be told: ${reason}` },
    });
  });

  it("C2 C10 ten megabytes of rows are converted and checked while the event loop turns", async () => {
    const value = rows(200_000);
    const make = (id: object) =>
      openFixture({ tools: [tool(() => value, { outputSchema: rowSchema(id) })], limits: { resultBytes: 16_000_000 } });
    const right = make({ type: "integer" });
    await right.request("odd", "[]");
    const { result, turns } = await countTurns(() => right.request("odd"));
    const json = JSON.stringify(value);
    expect("json" in result && result.json === json && result.bytes).toBe(json.length);
    expect(json.length).toBeGreaterThan(8_388_608);
    expect(turns).toBeGreaterThan(10);
    expect(await make({ type: "integer", maximum: 199_998 }).request("odd")).toMatchObject({
      status: "error",
      effect: "done",
      failure: {
        code: "result_invalid",
        message:
          "odd ran, but its result does not match its output schema: $[199999].id: expected <= 199998, came 199999",
      },
    });
  });

  it.each<[string, () => unknown]>([
    ["a hundred megabytes of text (F5)", () => "x".repeat(100_000_000)],
    ["one text in many places", () => new Array<string>(100_000).fill("x".repeat(50_000))],
    ["four billion holes", () => new Array<string>(4_000_000_000)],
  ])("C10 %s over the limit is refused, and the effect is done", async (_what, execute) => {
    const fixture = openFixture({ tools: [tool(execute)], limits: { resultBytes: 1_000_000 } });
    expect(await fixture.request("odd")).toEqual({
      status: "error",
      effect: "done",
      failure: {
        code: "result_too_large",
        message: "odd ran, but its result is over 1000000 bytes of JSON",
        hint: "ask for less: a page, a filter, fewer fields",
      },
    });
  });

  it("C2 C3 a small result whose check takes many steps is checked away from the host's thread", async () => {
    const anyOf = Array.from({ length: 30 }, (_, v) => ({ properties: { v: { const: v } }, required: ["v"] }));
    const fixture = openFixture({
      tools: [tool((args: never) => args, { outputSchema: { properties: { list: { items: { anyOf } } } } })],
    });
    const list = Array.from({ length: 5_000 }, () => ({ v: 29 }));
    expect(await fixture.request("odd", { list })).toMatchObject({ status: "ok" });
    expect(await fixture.request("odd", { list: [...list, { v: 30 }] })).toMatchObject({
      status: "error",
      effect: "done",
      failure: { code: "result_invalid", message: expect.stringContaining("$.list[5000]") as string },
    });
  });

  it("C6 a call that is stopped while its result is converted keeps its outcome", async () => {
    const value = rows(100_000);
    const fixture = openFixture({ tools: [tool(() => value)] });
    const call = fixture.request("odd");
    await settled();
    await settled();
    fixture.step.stop("the user left", "all");
    expect(await call).toMatchObject({ status: "ok", effect: "done", bytes: JSON.stringify(value).length });
  });
});

describe("hostile arguments", () => {
  it("C2 large ones are checked away from the host's thread, and what does not match is refused", async () => {
    const ran: unknown[] = [];
    const inputSchema = { type: "object", properties: { list: { items: { type: "string" }, uniqueItems: true } } };
    const fixture = openFixture({ tools: [tool((args: never) => ran.push(args), { inputSchema })] });
    const list = Array.from({ length: 30_000 }, (_, at) => `text ${at}`);
    expect(JSON.stringify(list).length).toBeGreaterThan(bounds.charsInPlace);
    expect(await fixture.request("odd", { list })).toMatchObject({ status: "ok" });
    expect(await fixture.request("odd", { list: [...list, "text 7"] })).toMatchObject({
      status: "refused",
      effect: "none",
      failure: {
        code: "arguments_invalid",
        message:
          "tools.odd was called with arguments that do not match its input: $.list: expected items that all differ, came an array of 30001",
      },
    });
    expect(ran).toHaveLength(1);
    expect(Object.isFrozen((ran[0] as { list: unknown }).list)).toBe(true);
  });

  it("C1 C2 large ones are frozen all the way down in several turns of the event loop, before anything sees them", async () => {
    let seen: unknown;
    const fixture = openFixture({
      tools: [tool((args: never) => void (seen = args))],
      setUp: (scope) => void scope.guard("frozen", ({ args }) => (isFrozen(args) ? undefined : "not frozen")),
    });
    const deep = Array.from({ length: 15_000 }, (_, at) => ({ at: [{ at }] }));
    const { result, turns } = await countTurns(() => fixture.request("odd", { deep, "": { deep } }));
    expect(result).toMatchObject({ status: "ok" });
    expect(isFrozen(seen)).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it("C2 C6 a call that is stopped while it is checked away never runs", async () => {
    let runs = 0;
    const inputSchema = { type: "object", properties: { list: { items: { type: "string" } } } };
    const fixture = openFixture({ tools: [tool(() => (runs += 1), { inputSchema })] });
    const call = fixture.request("odd", { list: Array.from({ length: 40_000 }, (_, at) => `text ${at}`) });
    fixture.step.stop("the user left", "all");
    expect(await call).toMatchObject({ status: "cancelled", effect: "none" });
    expect(runs).toBe(0);
  });
});

describe("tools that do not answer as they should", () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it.each<[string, AnyTool["execute"]]>([
    ["a promise", never],
    ["a thenable", () => ({ then: () => undefined })],
    ["a thenable within a promise", () => Promise.resolve({ then: () => undefined })],
  ])("C5 C11 %s that never settles ends on the tool clock", async (_what, execute) => {
    const fixture = openFixture({ tools: [tool(execute, { timeoutMs: 5, effects: ["read"] })] });
    expect(await fixture.request("odd")).toEqual({
      status: "timeout",
      effect: "none",
      failure: { code: "call_timeout", message: "odd did not finish within 5 ms on the tool clock" },
    });
    expect(fixture.step.open).toBe(0);
  });

  it("C2 C11 a `validate` that never answers ends on the tool clock, and the tool does not run", async () => {
    let runs = 0;
    const fixture = openFixture({ tools: [tool(() => (runs += 1), { validate: never, timeoutMs: 5 })] });
    expect(await fixture.request("odd")).toEqual({
      status: "refused",
      effect: "none",
      failure: {
        code: "call_timeout",
        message: "odd did not answer whether its arguments are valid within 5 ms on the tool clock",
      },
    });
    expect(runs).toBe(0);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["nothing", undefined],
    ["a text", "no"],
    ["a symbol", Symbol("s")],
    ["a function", trap],
    ["a Proxy", new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap })],
    ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: trap })],
  ])("C13 %s thrown or rejected is an internal error, and nothing is left unhandled", async (_what, thrown) => {
    const unhandled: unknown[] = [];
    const hear = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", hear);
    try {
      for (const execute of [
        () => {
          throw thrown;
        },
        () => Promise.reject(thrown),
      ] as AnyTool["execute"][]) {
        const fixture = openFixture({ tools: [tool(execute)] });
        const result = await fixture.request("odd");
        expect(result).toMatchObject({ status: "error", effect: "unknown", failure: { code: "internal_error" } });
        expect(fixture.logged.map(({ message }) => message)).toEqual(['tool "odd" threw']);
      }
      await settled();
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", hear);
    }
  });

  it("C5 C6 an answer after the timeout is kept beside the outcome, and read without harm", async () => {
    const gate = deferred<unknown>();
    const fixture = openFixture({ tools: [tool(() => gate.promise, { timeoutMs: 5, effects: ["read"] })] });
    expect(await fixture.request("odd")).toMatchObject({ status: "timeout" });
    gate.resolve(new Proxy({}, { get: trap }));
    await settled();
    await settled();
    const late = fixture.entries().filter(({ kind }) => kind === "late");
    expect(late).toMatchObject([{ kind: "late", call: 1, status: "cancelled", effect: "none" }]);
    expect(fixture.record()).toMatchObject([{ status: "timeout" }]);
  });

  it("C6 one that ignores its signal ends soon after a stop, and what it throws later harms nobody", async () => {
    const gate = deferred<unknown>();
    const fixture = openFixture({ tools: [tool(() => gate.promise, { effects: ["read"] })] });
    const call = fixture.request("odd");
    await settled();
    fixture.step.stop("the user left", "all");
    expect(await call).toMatchObject({ status: "cancelled", effect: "none", failure: { code: "call_aborted" } });
    gate.reject(new ToolError("late"));
    await settled();
    expect(fixture.step.open).toBe(0);
  });
});
