import { expect, it, vi } from "vitest";
import { useRuntime } from "../agent/fixture.ts";
import { tracker } from "./tracker.ts";

// Less time than the way to the process and back takes.
vi.mock(import("../../src/limits.ts"), async (original) => {
  const limits = await original();
  return { ...limits, bounds: { ...limits.bounds, typecheckMs: 1 } as unknown as typeof limits.bounds };
});

const fixture = useRuntime({ sourceBytes: 131_072 });

it("X11 a program that gets no answer in its time runs, with a warning that it was not checked", async () => {
  const functions = Array.from({ length: 3_500 }, (_, n) => `(a: { x${n}: 1 }) => 1`);
  const run = await fixture.run(`const all = [${functions.join()}];\nreturn all.length;`, tracker);
  expect(run).toMatchObject({
    status: "completed",
    value: 3_500,
    warnings: ["the program was not type-checked: no answer within 1 ms"],
  });
});
