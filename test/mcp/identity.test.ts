import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identity } from "../../src/mcp/identity.ts";

it("M1 M3 the name and version that are told are the package's", () => {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  expect(JSON.parse(text)).toMatchObject(identity);
});
