import { expect, it } from "vitest";
import { createFairLine } from "../../src/runtime/fair-line.ts";

it("X18 those who wait are served a round over tenants at a time, the one served longest ago first", () => {
  const line = createFairLine<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) line.add(item[0] ?? "", item);
  const items = (): string[] => line.inOrder().map(([, item]) => item);
  expect(items()).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  line.leave("a", "a1");
  line.served("a");
  expect(items()).toEqual(["b1", "c1", "a2", "c2", "a3"]);
  line.leave("b", "b1");
  line.served("b");
  line.add("b", "b2");
  expect(items()).toEqual(["c1", "a2", "b2", "c2", "a3"]);
  line.leave("c", "c1");
  expect(items()).toEqual(["c2", "a2", "b2", "a3"]);
  expect([line.size, line.sizeOf("a"), line.sizeOf("d")]).toEqual([4, 2, 0]);
});
