import fc from "fast-check";
import { expect, it } from "vitest";
import { createSessionState } from "../../src/agent/session-state.ts";

it("X14 programs one after another find what the last one left, keys taken away included", () => {
  const state = createSessionState(1_000);
  expect(state.text()).toBe("{}");
  expect(state.merge("{}", '{"a":1,"b":[2]}')).toEqual([]);
  expect(state.merge('{"a":1,"b":[2]}', '{"b":[2,3]}')).toEqual([]);
  expect(state.text()).toBe('{"b":[2,3]}');
});

it("X14 programs side by side keep what each changed, and of a key that both changed the later end counts, with a warning", () => {
  const state = createSessionState(1_000, '{"a":1,"b":1,"c":1}');
  expect(state.merge('{"a":1,"b":1,"c":1}', '{"a":2,"b":1,"d":4}')).toEqual([]);
  expect(state.merge('{"a":1,"b":1,"c":1}', '{"a":3,"b":2,"c":1}')).toEqual([
    'another program changed "a" of `state` meanwhile; what this one left there replaces it',
  ]);
  expect(JSON.parse(state.text())).toEqual({ a: 3, b: 2, d: 4 });
});

it("X14 what two programs left together is never cut: over the limit the second one's changes are not kept", () => {
  const state = createSessionState(30);
  expect(state.merge("{}", '{"a":"xxxxxxxxxx"}')).toEqual([]);
  expect(state.merge("{}", '{"b":"yyyyyyyyyy"}')).toEqual([
    "`state` is over 30 bytes of JSON together with what another program left in it meanwhile; what this one changed is not kept",
  ]);
  expect(state.text()).toBe('{"a":"xxxxxxxxxx"}');
});

it("X14 a key that means something to prototypes is a key like any other", () => {
  const state = createSessionState(1_000, '{"a":1}');
  state.merge("{}", '{"__proto__":{"b":1},"constructor":2}');
  expect(state.text()).toBe('{"a":1,"__proto__":{"b":1},"constructor":2}');
});

it("X14 any programs in any order of ends leave what a plain model says", () => {
  const key = fc.constantFrom("a", "b", "c", "0");
  const change = fc.record({ key, value: fc.option(fc.nat(3), { nil: undefined }) });
  const program = fc.record({ changes: fc.array(change, { maxLength: 4 }), overlaps: fc.boolean() });
  fc.assert(
    fc.property(fc.array(program, { maxLength: 8 }), (programs) => {
      const state = createSessionState(10_000);
      const model = new Map<string, number>();
      let found = state.text();
      let seen = new Map(model);
      for (const { changes, overlaps } of programs) {
        // One that overlaps began when the one before it did.
        if (!overlaps) [found, seen] = [state.text(), new Map(model)];
        const mine = new Map(seen);
        for (const { key: name, value } of changes) {
          if (value === undefined) mine.delete(name);
          else mine.set(name, value);
        }
        const lost: string[] = [];
        for (const name of ["a", "b", "c", "0"]) {
          const [before, after, now] = [seen.get(name), mine.get(name), model.get(name)];
          if (after === before) continue;
          if (now !== before && now !== after) lost.push(name);
          if (after === undefined) model.delete(name);
          else model.set(name, after);
        }
        const warnings = state.merge(found, JSON.stringify(Object.fromEntries(mine)));
        expect(warnings).toHaveLength(lost.length === 0 ? 0 : 1);
        for (const name of lost) expect(warnings[0]).toContain(JSON.stringify(name));
        expect(JSON.parse(state.text())).toEqual(Object.fromEntries(model));
        expect(JSON.stringify(JSON.parse(state.text()))).toBe(state.text());
      }
    }),
  );
});
