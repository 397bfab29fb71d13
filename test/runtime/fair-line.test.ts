import fc from "fast-check";
import { expect, it } from "vitest";
import { createFairLine, type FairLine } from "../../src/runtime/fair-line.ts";

const itemsOf = (line: FairLine<string>): string[] => line.first(line.size).map(([, item]) => item);

it("X18 those who wait are served a round over tenants at a time, the one served longest ago first", () => {
  const line = createFairLine<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) line.add(item[0] ?? "", item);
  expect(itemsOf(line)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  line.leave("a", "a1");
  line.served("a");
  expect(itemsOf(line)).toEqual(["b1", "c1", "a2", "c2", "a3"]);
  line.leave("b", "b1");
  line.served("b");
  line.add("b", "b2");
  expect(itemsOf(line)).toEqual(["c1", "a2", "b2", "c2", "a3"]);
  line.leave("c", "c1");
  expect(itemsOf(line)).toEqual(["c2", "a2", "b2", "a3"]);
  expect(line.first(2)).toEqual([
    ["c", "c2"],
    ["a", "a2"],
  ]);
  expect([line.size, line.sizeOf("a"), line.sizeOf("d")]).toEqual([4, 2, 0]);
});

it("X18 a tenant that was served comes after one that never was, though that joins later", () => {
  const line = createFairLine<string>();
  line.served("a");
  line.add("a", "a1");
  line.add("b", "b1");
  expect(itemsOf(line)).toEqual(["b1", "a1"]);
});

it("X18 what is added at the front comes before the rest of its tenant, in the order of being added", () => {
  const line = createFairLine<string>();
  line.add("a", "a1");
  line.add("b", "b1");
  line.add("a", "resumed 1", true);
  line.add("a", "resumed 2", true);
  expect(itemsOf(line)).toEqual(["resumed 1", "b1", "resumed 2", "a1"]);
  expect([line.next("a"), line.next("b"), line.next("c")]).toEqual(["resumed 1", "b1", undefined]);
  expect(line.longest()).toEqual({ tenant: "a", size: 3, last: "a1" });
});

it("X18 however many join, leave and are served, the line holds who joined and did not leave, in fair rounds", () => {
  const tenants = ["a", "b", "c", "d"];
  const action = fc.record({
    kind: fc.constantFrom("add", "front", "leave", "serve"),
    tenant: fc.constantFrom(...tenants),
    which: fc.nat(5),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const line = createFairLine<string>();
      const waiting = new Map<string, string[]>(tenants.map((tenant) => [tenant, []]));
      for (const [number, { kind, tenant, which }] of actions.entries()) {
        const own = waiting.get(tenant) ?? [];
        if (kind === "add" || kind === "front") {
          line.add(tenant, `${tenant}${number}`, kind === "front");
          own.push(`${tenant}${number}`);
        } else if (kind === "leave") line.leave(tenant, own.splice(which, 1)[0] ?? "nobody");
        else {
          const [first] = line.first(1);
          if (first === undefined) continue;
          const [next, item] = first;
          expect(line.next(next)).toBe(item);
          line.leave(next, item);
          line.served(next);
          waiting.set(
            next,
            (waiting.get(next) ?? []).filter((other) => other !== item),
          );
        }
      }
      const inOrder = line.first(line.size);
      expect(inOrder.map(([, item]) => item).sort()).toEqual([...waiting.values()].flat().sort());
      // No tenant has its second before everybody had a first, and so on.
      const rounds = inOrder.map(([tenant], at) => inOrder.slice(0, at).filter(([other]) => other === tenant).length);
      expect(rounds).toEqual([...rounds].sort((left, right) => left - right));
      for (const tenant of tenants) expect(line.sizeOf(tenant)).toBe(waiting.get(tenant)?.length);
    }),
  );
});

it("X18 only so much is kept of tenants that do not wait", () => {
  const line = createFairLine<string>();
  line.served("first");
  for (let number = 0; number < 1_000; number += 1) line.served(`tenant ${number}`);
  line.add("tenant 0", "of a tenant that was served");
  line.add("first", "of one that was forgotten");
  expect(itemsOf(line)).toEqual(["of one that was forgotten", "of a tenant that was served"]);
});
