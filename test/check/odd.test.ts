import { expect, it } from "vitest";
import { useRuntime } from "../agent/fixture.ts";
import { odd } from "./odd-programs.ts";
import { tracker } from "./tracker.ts";

const runtime = useRuntime();

it.each(odd)("X11 is not refused, and completes: %s", async (code) => {
  const result = await runtime.run(code, tracker);
  if (result.status !== "completed") throw new Error(result.toModel());
  expect(result.warnings.filter((text) => text.includes("type-checked"))).toEqual([]);
});
