import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunResult } from "../../src/index.ts";
import { bombs } from "./bombs.ts";
import { own } from "./own.ts";
import { matched, openRange, type Range, residentMb, withCall } from "./range.ts";

describe("programs", () => {
  const shots = new Map<string, Promise<RunResult>>();
  let range: Range;
  let before = 0;
  beforeAll(async () => {
    range = await openRange();
    before = residentMb();
    for (const { threat, code } of own) shots.set(threat, range.shoot(withCall(code)));
    await Promise.allSettled([...shots.values()].slice(0, 1));
  });
  afterAll(() => range.close());

  it.each(own)("X2 X5 X6 X12 $threat", async (program) => {
    const run = await shots.get(program.threat);
    expect(run && matched(run, program)).toBeOneOf([program.ends].flat());
  });

  it("X2 X10 text of the protocol is text and nothing else", async () => {
    const run = await range.shoot(String.raw`
      const noise = "x\nO1 0 0 -\nR 666\r\u2028\ud800";
      console.log(noise); console.error({ [noise]: noise });
      return [noise, await tools.echo({ [noise]: noise })]`);
    const noise = "x\nO1 0 0 -\nR 666\r\u2028\ud800";
    expect(run).toMatchObject({ status: "completed", value: [noise, { [noise]: noise }] });
    expect(run.console).toEqual([
      { level: "log", text: noise },
      { level: "error", text: JSON.stringify({ [noise]: noise }) },
    ]);
  });

  it("X5 C10 calls over the limit leave one entry, and name the limit where they end the program", async () => {
    const run = await range.shoot("for (;;) await Promise.all(Array.from({ length: 600 }, () => tools.echo({})))");
    expect(run).toMatchObject({
      status: "failed",
      error: {
        code: "calls_limit",
        message: "the program made its 1000 calls, which is its limit: tools.echo was not called",
        line: 1,
      },
    });
    expect(run.calls).toHaveLength(1_001);
    expect(run.calls.flatMap(({ failure }, index) => (failure?.code === "calls_limit" ? [index] : []))).toEqual([
      1_000,
    ]);
  });

  it("X12 nothing of them stays in the host", async () => {
    await Promise.all(shots.values());
    shots.clear();
    expect(residentMb() - before).toBeLessThan(100);
  });
});

describe("texts", () => {
  const shots = new Map<string, Promise<RunResult>>();
  let range: Range;
  beforeAll(async () => {
    range = await openRange({ sourceBytes: 524_288, cpuMs: 5_000, wallMs: 20_000 });
    for (const { threat, code } of bombs) shots.set(threat, range.shoot(code));
  });
  afterAll(() => range.close());

  it.each(bombs)("X1 X5 X12 $threat", async (text) => {
    const run = await shots.get(text.threat);
    expect(run && matched(run, text)).toBeOneOf([text.ends].flat());
  });
});
