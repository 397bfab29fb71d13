import { describe, expect, it } from "vitest";
import type { Session } from "../../src/index.ts";
import { tool, useRuntime } from "./fixture.ts";

const fixture = useRuntime({ stateBytes: 200, cpuMs: 1_000 });

async function session(): Promise<Session> {
  const gate = tool("gate", async ({ ms }: { ms: number }) => new Promise((resolve) => setTimeout(resolve, ms)), {
    effects: [],
    parallelSafe: true,
  });
  return (await fixture.agent([gate])).session("chat");
}

describe("state", () => {
  it("X14 outlives programs within a session, is read by the host, and is another object in another session", async () => {
    await using one = await session();
    await using other = await session();
    const code = "state.count = (state.count ?? 0) + 1; return state.count";
    expect(await one.turn().run(code)).toMatchObject({ status: "completed", value: 1 });
    expect(await one.turn().run(code)).toMatchObject({ value: 2 });
    expect(await other.turn().run(code)).toMatchObject({ value: 1 });
    expect(one.state).toEqual({ count: 2 });
    expect(Object.isFrozen(one.state)).toBe(true);
    expect(one.state).toBe(one.state);
  });

  it("X14 C7 is taken as all that crosses: what is no JSON is told, and what was there before stays", async () => {
    await using one = await session();
    await one.turn().run("state.at = new Date(0); state.seen = new Set([1])");
    expect(one.state).toEqual({ at: "1970-01-01T00:00:00.000Z", seen: [1] });
    const before = one.state;
    for (const [code, why] of [
      ["state.f = () => 1", "is not JSON: $.f is a function; only JSON values cross: pass data, or call it first"],
      ["state.text = 'é'.repeat(100)", "is over 200 bytes of JSON"],
      ["state = [1]", "is no object any more"],
      ["delete globalThis.state", "is no object any more"],
    ] as const) {
      const run = await one.turn().run(`${code}; return 1`);
      expect(run).toMatchObject({ status: "completed", value: 1 });
      expect(run.warnings).toEqual([expect.stringMatching(/^`state` .*; what it was before is kept$/)]);
      expect(run.warnings[0]).toContain(why.slice(0, 20));
      expect(one.state).toEqual(before);
    }
  });

  it("X14 may be given anew, and hides behind a name of the program's own", async () => {
    await using one = await session();
    await one.turn().run("state = { fresh: true }");
    expect(one.state).toEqual({ fresh: true });
    expect(await one.turn().run("const state = 5; const results = [1]; return [state, results.length]")).toMatchObject({
      value: [5, 1],
    });
    expect(one.state).toEqual({ fresh: true });
  });

  it("X14 is kept when the program throws, and not when a limit or an abort ends it", async () => {
    await using one = await session();
    expect(await one.turn().run("state.step = 1; throw new Error('no')")).toMatchObject({
      error: { code: "program_error" },
    });
    expect(one.state).toEqual({ step: 1 });
    expect(await one.turn().run("state.step = 2; for (;;);")).toMatchObject({ error: { code: "cpu_limit" } });
    expect(await one.turn().run("state.step = 3; return (() => {}) ")).toMatchObject({
      error: { code: "return_not_json" },
    });
    expect(one.state).toEqual({ step: 3 });
    const stop = new AbortController();
    const running = one.turn().run("state.step = 4; await tools.gate({ ms: 60000 })", { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(one.state).toEqual({ step: 3 });
  });

  it("X14 of two programs at once both keep what they changed, and the one that ends later is told what it replaced", async () => {
    await using one = await session();
    const turn = one.turn();
    const slow = turn.run("state.a = 1; state.both = 'slow'; await tools.gate({ ms: 300 })");
    const quick = await turn.run("state.b = 2; state.both = 'quick'");
    expect(quick.warnings).toEqual([]);
    expect((await slow).warnings).toEqual([
      'another program changed "both" of `state` meanwhile; what this one left there replaces it',
    ]);
    expect(one.state).toEqual({ a: 1, b: 2, both: "slow" });
  });

  it("X14 starts empty in an anonymous run", async () => {
    expect(await fixture.run("state.n = 1; return Object.keys(state)")).toMatchObject({ value: ["n"] });
    expect(await fixture.run("return Object.keys(state)")).toMatchObject({ value: [] });
  });
});
