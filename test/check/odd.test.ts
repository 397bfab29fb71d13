import { expect, it } from "vitest";
import { useRuntime } from "../agent/fixture.ts";
import { odd } from "./odd-programs.ts";
import { oddTools } from "./odd-tools.ts";
import { tracker } from "./tracker.ts";
import { unseen } from "./unseen-programs.ts";

const runtime = useRuntime();

it.each([...odd, ...unseen])("X11 is not refused, and completes: %s", async (code) => {
  const result = await runtime.run(code, [...tracker, ...oddTools]);
  if (result.status !== "completed") throw new Error(result.toModel());
  expect(result.warnings.filter((text) => text.includes("type-checked"))).toEqual([]);
});
