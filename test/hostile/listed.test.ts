import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunResult } from "../../src/index.ts";
import { describeShared, sharedPath } from "../shared.ts";
import { ends } from "./listed.ts";
import { matched, openRange, type Range, residentMb, withCall } from "./range.ts";

describeShared("the programs of the reference data", () => {
  const programs = new Map<string, string>();
  const shots = new Map<string, Promise<RunResult>>();
  let range: Range;
  let before = 0;
  beforeAll(async () => {
    const text = readFileSync(sharedPath("reference", "hostile-programs.json"), "utf8");
    for (const [name, code] of Object.entries(JSON.parse(text) as Record<string, string>)) programs.set(name, code);
    range = await openRange();
    before = residentMb();
    for (const [name, code] of programs) shots.set(name, range.shoot(withCall(code)));
  });
  afterAll(() => range.close());

  it("X5 every one of them is expected to end", () => {
    expect(Object.keys(ends)).toEqual([...programs.keys()]);
  });

  it.each(Object.entries(ends))("X2 X5 X6 X12 %s", async (threat, expected) => {
    const run = await shots.get(threat);
    expect(run && matched(run, { threat, code: "", ends: expected })).toBeOneOf([expected].flat());
  });

  it("X12 nothing of them stays in the host", async () => {
    await Promise.all(shots.values());
    shots.clear();
    expect(residentMb() - before).toBeLessThan(100);
  });
});
