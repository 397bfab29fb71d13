import { expect, it, vi } from "vitest";
import { within } from "../src/within.ts";

const never = new Promise<never>(() => undefined);

it("C11 what is waited for ends with the reason of its signal, with one of its own where the signal has none", async () => {
  const { signal } = new AbortController();
  await expect(within(never, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  await expect(within(never, { signal: AbortSignal.abort("text") })).rejects.toBe("text");
  for (const nothing of [null, undefined]) {
    const reason = { name: "AbortError", message: "This operation was aborted" };
    await expect(within(never, { signal: AbortSignal.abort(nothing) })).rejects.toMatchObject(reason);
  }
  expect(await within(Promise.resolve(5), { signal })).toBe(5);
});

it("C11 what is waited for ends when its time is up, and leaves no timer", async () => {
  vi.useFakeTimers();
  try {
    const { signal } = new AbortController();
    const late = vi.fn<() => Error>(() => new Error("late"));
    const waiting = within(never, { signal, time: { ms: 10, late } }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    expect(await waiting).toEqual(new Error("late"));
    expect(await within(Promise.resolve(5), { signal, time: { ms: 10, late } })).toBe(5);
    expect([late.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  } finally {
    vi.useRealTimers();
  }
});
