import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backoffMs } from "../../src/bridge/backoff.ts";
import type { Outcome } from "../../src/bridge/outcome.ts";
import { readTransient } from "../../src/bridge/transient.ts";
import { ToolError, TransientError } from "../../src/errors.ts";
import { outcome } from "../../src/registry/outcome.ts";
import type { AnyTool } from "../../src/registry/tool.ts";
import { type Fixture, openFixture } from "./fixture.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

const busy = (retryAfterMs?: number): TransientError => new TransientError("busy", { retryAfterMs });

interface Flaky {
  readonly tool: AnyTool;
  /** When it was called, in ms. */
  readonly starts: number[];
}

/** A tool that reads and fails with each of these in turn, and then answers. */
function flaky(failures: readonly unknown[], more: Partial<AnyTool> = { effects: ["read"] }): Flaky {
  const starts: number[] = [];
  const tool: AnyTool = {
    name: "fetch",
    description: "Returns something",
    inputSchema: { type: "object" },
    execute() {
      starts.push(performance.now());
      const failure = failures[starts.length - 1];
      if (failure !== undefined) throw failure;
      return { ok: true };
    },
    ...more,
  };
  return { tool, starts };
}

interface Opened extends Fixture {
  readonly done: Promise<Outcome>;
  readonly starts: readonly number[];
}

/** Makes one call, of which pauses take their whole length. */
function call({ tool, starts }: Flaky, limits = {}): Opened {
  const fixture = openFixture({ tools: [tool], limits, more: { random: () => 0 } });
  return { ...fixture, starts, done: fixture.request("fetch") };
}

const failureOf = (settled: Outcome): unknown => ("failure" in settled ? settled.failure : undefined);

describe("a tool that fails for the moment", () => {
  it("C9 C3 is tried again after a growing pause, and its success is clean", async () => {
    const one = call(flaky([busy(), busy()]));
    await vi.runAllTimersAsync();
    expect(await one.done).toEqual({ status: "ok", effect: "none", json: '{"ok":true}', bytes: 11 });
    expect(one.starts).toEqual([0, 200, 600]);
    expect(one.record()).toMatchObject([{ attempts: 3, status: "ok", ranMs: 600 }]);
    expect(one.entries().filter(({ kind }) => kind === "intent")).toMatchObject([
      { attempt: 1 },
      { attempt: 2 },
      { attempt: 3 },
    ]);
    expect(one.events.filter(({ type }) => type === "call.started" || type === "call.settled")).toHaveLength(2);
  });

  it("C9 that goes on failing is one error with the attempts and the last failure", async () => {
    const one = call(
      flaky([busy(), busy(), new TransientError("still busy", { hint: "wait", details: { queue: 9 } }), busy()]),
    );
    await vi.runAllTimersAsync();
    expect(await one.done).toEqual({
      status: "error",
      effect: "none",
      failure: {
        code: "retries_exhausted",
        message: "fetch failed in each of 3 attempts: still busy",
        hint: "wait",
        details: { attempts: 3, last: { code: "transient", message: "still busy", details: { queue: 9 } } },
      },
    });
    expect(one.starts).toHaveLength(3);
  });

  it("C9 is left alone for as long as it asks, within the call's time alone", async () => {
    const patient = call(flaky([busy(5_000)]));
    await vi.runAllTimersAsync();
    expect(await patient.done).toMatchObject({ status: "ok" });
    expect(patient.starts).toEqual([0, 5_000]);
    const late = call(flaky([busy(60_000)]));
    await vi.advanceTimersByTimeAsync(0);
    expect(failureOf(await late.done)).toEqual({
      code: "retries_exhausted",
      message: "fetch failed in 1 attempt, and the next would begin after its 60000 ms on the tool clock: busy",
      details: { attempts: 1, last: { code: "transient", message: "busy" } },
    });
  });

  it("C9 C11 runs out of the one time limit of its call, pauses included", async () => {
    let calls = 0;
    const execute = (): Promise<never> => {
      calls += 1;
      if (calls === 1) throw busy();
      return new Promise(() => undefined);
    };
    const one = call(flaky([], { effects: ["read"], execute }), { callMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await one.done).toMatchObject({
      status: "timeout",
      failure: { code: "call_timeout", message: "fetch did not finish within 1000 ms on the tool clock" },
    });
    expect(one.record()).toMatchObject([{ attempts: 2, ranMs: 1_000 }]);
  });

  it("C9 may be given more attempts, or one, which leaves its failure as it is", async () => {
    const many = call(flaky([busy(), busy(), busy(), busy()]), { attempts: 5 });
    await vi.runAllTimersAsync();
    expect(await many.done).toMatchObject({ status: "ok" });
    expect(many.starts).toEqual([0, 200, 600, 1_400, 3_000]);
    const once = call(flaky([busy()]), { attempts: 1 });
    expect(failureOf(await once.done)).toEqual({ code: "transient", message: "busy" });
  });

  it.each<[string, Partial<AnyTool>]>([
    ["is undeclared", {}],
    ["writes", { effects: ["write"] }],
    ["changes what is outside", { effects: ["external"] }],
  ])("C9 is not called again where it %s, unless it says that it is idempotent", async (_what, more) => {
    const once = call(flaky([busy()], more));
    expect(failureOf(await once.done)).toEqual({ code: "transient", message: "busy" });
    expect(once.starts).toHaveLength(1);
    const again = call(flaky([busy()], { ...more, idempotent: true }));
    await vi.runAllTimersAsync();
    expect(await again.done).toMatchObject({ status: "ok", effect: "done" });
    const intents = again.entries().filter((entry) => entry.kind === "intent");
    expect(new Set(intents.map(({ requestId }) => requestId)).size).toBe(1);
    expect(intents).toHaveLength(2);
  });

  it("C9 C5 a write that may have taken effect in one of its attempts is unknown in the end", async () => {
    const reset = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    const one = call(flaky([reset, busy(), busy()], { effects: ["write"], idempotent: true }));
    await vi.runAllTimersAsync();
    expect(await one.done).toMatchObject({
      status: "error",
      effect: "unknown",
      failure: { code: "retries_exhausted" },
    });
  });

  it("C9 C13 of what was not meant for the model only the kind is told, and the host's log has each cause", async () => {
    const reset = Object.assign(new TypeError("fetch failed: secret.internal"), {
      cause: Object.assign(new Error("read ECONNRESET 10.0.0.7"), { code: "ECONNRESET" }),
    });
    const one = call(flaky([reset, reset, reset]));
    await vi.runAllTimersAsync();
    const failure = failureOf(await one.done) as { message: string };
    expect(failure.message).toMatch(
      /^fetch failed in each of 3 attempts: fetch failed with an internal error: its connection was lost \(ECONNRESET\) \[[0-9a-f]{8}\]$/,
    );
    expect(JSON.stringify(failure)).not.toContain("10.0.0.7");
    expect(one.logged.map(({ data }) => (data as { cause: unknown }).cause)).toEqual([reset, reset, reset]);
  });

  it("C9 C6 stops at once where it is stopped in a pause, and is not called again", async () => {
    const one = call(flaky([busy(), busy()]));
    await vi.advanceTimersByTimeAsync(100);
    one.step.stop("enough", "all");
    expect(await one.done).toEqual({
      status: "cancelled",
      effect: "none",
      failure: { code: "call_aborted", message: "the call was stopped while it ran: enough" },
    });
    await vi.runAllTimersAsync();
    expect(one.starts).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("C9 Q2 keeps its place in the queue while it pauses", async () => {
    const order: string[] = [];
    let isBusy = true;
    const execute = (): string => {
      order.push("fetch");
      if (!isBusy) return "done";
      isBusy = false;
      throw busy();
    };
    const first = flaky([], { effects: ["read"], execute }).tool;
    const next: AnyTool = { ...first, name: "next", execute: () => void order.push("next") };
    const fixture = openFixture({ tools: [first, next], more: { random: () => 0 } });
    const both = [fixture.request("fetch"), fixture.request("next")];
    await vi.runAllTimersAsync();
    await Promise.all(both);
    expect(order).toEqual(["fetch", "fetch", "next"]);
  });

  it("C9 an error that a tool reports is tried again as one that it throws", async () => {
    const answers = [outcome({ error: { code: "rate_limited", message: "slow down" } }), { fine: 1 }];
    const one = call(flaky([], { effects: ["read"], execute: () => answers.shift() }));
    await vi.runAllTimersAsync();
    expect(await one.done).toMatchObject({ status: "ok", json: '{"fine":1}' });
    expect(one.record()).toMatchObject([{ attempts: 2 }]);
  });
});

describe("which failures are transient", () => {
  const withCause = (cause: unknown): Error => new TypeError("fetch failed", { cause });
  it.each<[string, unknown, object]>([
    ["a TransientError", busy(30), { reason: "it failed for a moment", retryAfterMs: 30 }],
    ["a rate limit by code", new ToolError("no", { code: "rate_limited" }), { reason: "it was asked too often" }],
    [
      "a status among the details",
      new ToolError("no", { details: { status: 503 } }),
      { reason: "its service failed (503)" },
    ],
    [
      "a status of an error",
      Object.assign(new Error("x"), { status: 429 }),
      { reason: "it was asked too often (429)" },
    ],
    ["a statusCode", Object.assign(new Error("x"), { statusCode: 500 }), { reason: "its service failed (500)" }],
    [
      "a response",
      Object.assign(new Error("x"), { response: { status: 502 } }),
      { reason: "its service failed (502)" },
    ],
    ...["ECONNRESET", "ETIMEDOUT", "EPIPE", "UND_ERR_SOCKET"].map((code): [string, unknown, object] => [
      code,
      Object.assign(new Error("x"), { code }),
      { reason: `its connection was lost (${code})` },
    ]),
    [
      "a fetch that failed",
      withCause(Object.assign(new Error("x"), { code: "UND_ERR_SOCKET" })),
      { reason: "its connection was lost (UND_ERR_SOCKET)" },
    ],
  ])("C9 %s is", (_what, thrown, transient) => {
    expect(readTransient(thrown, 0)).toEqual(transient);
  });

  it.each<[string, unknown]>([
    ["a ToolError", new ToolError("no")],
    ["an error", new Error("no")],
    ["a status that is the caller's fault", Object.assign(new Error("x"), { status: 404 })],
    ["a name that is not found", withCause(Object.assign(new Error("x"), { code: "ENOTFOUND" }))],
    ["nothing", undefined],
    ["a text", "ECONNRESET"],
    [
      "what cannot be read",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
        },
      ),
    ],
    [
      "a circle of causes",
      (() => {
        const error = new Error("x");
        error.cause = error;
        return error;
      })(),
    ],
  ])("C9 %s is not", (_what, thrown) => {
    expect(readTransient(thrown, 0)).toBeUndefined();
  });

  it.each<[unknown, number | undefined]>([
    [{ status: 429, headers: { "Retry-After": "7" } }, 7_000],
    [{ status: 429, headers: new Headers({ "retry-after": "1.5" }) }, 1_500],
    [{ status: 429, response: { headers: { "retry-after": 2 } } }, 2_000],
    [{ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" } }, 8_000],
    [{ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" } }, 0],
    [{ status: 503, details: { retryAfterMs: 12 } }, 12],
    [{ status: 503, headers: { "retry-after": "soon" } }, undefined],
    [{ status: 503, headers: { "retry-after": "-1" } }, undefined],
  ])("C9 what %j asks for is read", (thrown, retryAfterMs) => {
    expect(readTransient(thrown, 1_000)?.retryAfterMs).toBe(retryAfterMs);
  });
});

it("C9 a pause doubles up to its bound, loses up to half to chance, and is never shorter than was asked for", () => {
  const attempts = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(attempts, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100_000), (attempt, chance, asked) => {
      const whole = Math.min(10_000, 200 * 2 ** Math.min(attempt - 1, 20));
      const pause = backoffMs(attempt, chance, asked);
      expect(pause).toBeGreaterThanOrEqual(Math.max(whole / 2, asked));
      expect(pause).toBeLessThanOrEqual(Math.max(whole, asked));
      expect(backoffMs(attempt, 0)).toBe(whole);
      expect(backoffMs(attempt, 1)).toBe(whole / 2);
    }),
  );
});
