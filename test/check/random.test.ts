import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { createTypeChecker } from "../../src/runtime/check/type-checker.ts";
import { deploy } from "../registry/tools.ts";
import { oddTools } from "./odd-tools.ts";
import { isRight, randomPrograms } from "./random-programs.ts";
import { tracker } from "./tracker.ts";

const typecheckPath = fileURLToPath(new URL("../../dist/typecheck.js", import.meta.url));
const checker = createTypeChecker({ nodePath: process.execPath, typecheckPath, timeoutMs: 20_000 });
afterAll(() => checker.close());

// Beside what is put together nothing is closed that has the same names.
const tools = [...tracker, ...oddTools].filter(({ name }) => name !== "get_merged" && name !== "get_big");
const deployment = deploy();
for (const tool of tools) deployment.tool(tool);
const surface = deployment.surface();
const results = Object.fromEntries(
  tools.map(({ name, execute }) => [name, (execute as (args: unknown) => unknown)({})] as const),
);

it(
  "X11 no program that reads only what is there and gives what is taken is refused",
  { timeout: 120_000 },
  async () => {
    let right = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(randomPrograms, async (program) => {
        const [isFine, checked] = await Promise.all([isRight(program, results), checker.check(program, surface)]);
        if (checked.status !== "checked") throw new Error(`the program was not checked: ${checked.status}`);
        if (isFine) right += 1;
        if (checked.findings.length > 0) refused += 1;
        if (isFine) expect(checked.findings).toEqual([]);
      }),
      { numRuns: 400 },
    );
    // Else it would show nothing.
    expect({ right: right > 50, refused: refused > 10 }).toEqual({ right: true, refused: true });
  },
);
