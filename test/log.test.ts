import { expect, it } from "vitest";
import { guarded } from "../src/log.ts";

it("C13 a log gets what it is told and no more, and its own failures reach nobody", () => {
  const told: unknown[][] = [];
  const log = guarded({
    warn: (...entry) => void told.push(entry),
    error(...entry) {
      told.push(entry);
      throw new Error("the disk is full");
    },
  });
  log.warn("alone");
  log.warn("with data", { a: 1 });
  log.error("alone");
  expect(told).toEqual([["alone"], ["with data", { a: 1 }], ["alone"]]);
});
