import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { readFrontMatter } from "../scripts/conformance/front-matter.ts";
import { gapRows, gaps } from "../scripts/conformance/gaps.ts";
import { type Result, runSuite, type Verdict } from "../scripts/conformance/suite.ts";

let results: readonly Result[];
beforeAll(async () => {
  results = await runSuite({ folder: join(import.meta.dirname, "conformance"), concurrency: 2 });
});

function found(kind: Verdict["kind"]): Record<string, Verdict> {
  const some = results.filter(({ verdict }) => verdict.kind === kind);
  return Object.fromEntries(some.map(({ path, verdict }) => [path, verdict]));
}

it("X1 X4 programs run the language as its standard says", () => {
  expect({ ...found("fail"), ...found("engine") }).toEqual({});
  expect(Object.keys(found("pass"))).toHaveLength(44);
});

it("X1 X4 what of it they do without is a gap that is listed, each with a program that shows it", () => {
  const shown = Map.groupBy(Object.entries(found("gap")), ([, verdict]) => ("gap" in verdict ? verdict.gap : ""));
  const paths = gaps.map(({ what }) => shown.get(what)?.map(([path]) => path));
  expect(paths).toEqual([
    ["language/await-as-name.js", "language/names-on-global-object.js"],
    ["language/function-twice.js", "language/html-comment.js"],
    ["language/export.js"],
    ["async/disposal-names.js"],
    ["built-ins/shared-memory.js", "built-ins/weak-references.js"],
    ["typed-arrays/resizable-buffer.js"],
    ["async/replaced-then.js"],
  ]);
});

it("X1 tests that are no programs are skipped, each for a reason", () => {
  expect(results.filter(({ verdict }) => verdict.kind === "skipped")).toEqual([
    { path: "skipped/host.js", verdict: { kind: "skipped", reason: "needs a host ($262)" } },
    { path: "skipped/module.js", verdict: { kind: "skipped", reason: "a module" } },
    { path: "skipped/raw.js", verdict: { kind: "skipped", reason: "a raw text" } },
    { path: "skipped/sloppy.js", verdict: { kind: "skipped", reason: "not strict" } },
  ]);
});

it("X1 docs/language.md lists the gaps that the runner knows", () => {
  const text = readFileSync(join(import.meta.dirname, "../docs/language.md"), "utf8");
  expect(text).toContain(`\n|---|---|\n${gapRows.join("\n")}\n\n`);
});

it("X1 the notes of a test are read in every notation", () => {
  const notes = readFrontMatter(`// first
/*---
  description: >
    flags: [raw] is not a flag here
  negative:
    phase: parse
    type: SyntaxError
  includes: [a.js,
    b.js]
  features:
    - one
    - two
  flags: [ async, onlyStrict ]
---*/
flags: [module]`);
  expect(notes).toEqual({
    flags: ["async", "onlyStrict"],
    includes: ["a.js", "b.js"],
    features: ["one", "two"],
    defines: [],
    negative: { phase: "parse", type: "SyntaxError" },
  });
});
