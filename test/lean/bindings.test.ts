import * as fc from "fast-check";
import { expect, it } from "vitest";
import { bindFound, boundIn, type Bindings, noBindings } from "../../src/lean/bindings.ts";

const run = (searches: readonly { readonly turn: number; readonly names: readonly string[] }[]): Bindings =>
  searches.reduce((state, { names, turn }) => bindFound(state, names, turn), noBindings);

it("T3 what a search found is bound for its turn and the two after it", () => {
  const state = run([{ turn: 1, names: ["a", "b"] }]);
  expect([1, 2, 3, 4].map((turn) => boundIn(state, turn))).toEqual([["a", "b"], ["a", "b"], ["a", "b"], []]);
});

it("T3 found again a tool is bound as long anew, and keeps its position", () => {
  const state = run([
    { turn: 1, names: ["a", "b"] },
    { turn: 2, names: ["c", "a"] },
  ]);
  expect(boundIn(state, 3)).toEqual(["a", "b", "c"]);
  expect(boundIn(state, 4)).toEqual(["a", "c"]);
});

it("T3 at most twelve are bound, those found last", () => {
  const names = (from: number): string[] => Array.from({ length: 5 }, (_, index) => `t${from + index}`);
  const state = run([
    { turn: 1, names: names(0) },
    { turn: 1, names: names(5) },
    { turn: 1, names: ["t0"] },
    { turn: 1, names: names(10) },
  ]);
  expect(boundIn(state, 1)).toEqual(["t0", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11", "t12", "t13", "t14"]);
});

it("T3 T7 whatever is searched: never more than twelve, never one out of its time, and the same for the same", () => {
  const search = fc.record({
    step: fc.nat(2),
    names: fc.uniqueArray(fc.integer({ min: 0, max: 20 }).map(String), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(fc.array(search, { maxLength: 20 }), (searches) => {
      let turn = 1;
      const told = searches.map(({ step, names }) => ({ turn: (turn += step), names }));
      const last = new Map(told.flatMap(({ names, turn: at }) => names.map((name) => [name, at] as const)));
      const now = boundIn(run(told), turn);
      expect(now.length).toBeLessThanOrEqual(12);
      for (const name of now) expect(turn - (last.get(name) ?? -9)).toBeLessThanOrEqual(2);
      for (const name of told.at(-1)?.names ?? []) expect(now).toContain(name);
      expect(boundIn(run(told), turn)).toEqual(now);
    }),
  );
});
