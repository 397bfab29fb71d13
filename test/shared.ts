import { describe, expect, it } from "vitest";
import { hasShared } from "./reference.ts";

export { readCatalogs, sharedPath, type CatalogTool } from "./reference.ts";

const isAbsent = !hasShared && process.env.CODECALL_REQUIRE_SHARED !== "1";

/** Tests over the reference data: skipped where it is absent, unless CODECALL_REQUIRE_SHARED=1 says that it must be there. */
export function describeShared(title: string, tests: () => void): void {
  const suite = isAbsent ? describe.skip : describe;
  suite(isAbsent ? `${title} (skipped: there is no ../shared)` : title, isAbsent ? noTests : tests);
}

const noTests = (): void => it("needs the reference data", () => expect.fail("absent"));
