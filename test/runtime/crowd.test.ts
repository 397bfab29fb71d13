import { expect, it } from "vitest";
import { createCrowd } from "../../src/runtime/crowd.ts";

it("X18 as many programs as may have started and not ended, of one tenant and of all", () => {
  const crowd = createCrowd(3, 2);
  const leave = crowd.enter("a");
  crowd.enter("a");
  expect(() => crowd.admit("a")).toThrow(
    expect.objectContaining({
      code: "overloaded",
      message: "2 programs of this tenant have started and not ended, which is as many as may",
      hint: "try again later, or lower limits.wallMs: most of them wait for their tools",
    }),
  );
  crowd.enter("b");
  expect(() => crowd.enter("b")).toThrow("3 programs have started and not ended, which is as many as may");
  leave();
  crowd.admit("a");
  crowd.enter("c");
  expect(() => crowd.admit("a")).toThrow("3 programs have started and not ended, which is as many as may");
});
