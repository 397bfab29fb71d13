// What TypeScript is asked to look at, and which of its diagnostics are looked into. Right programs draw many of them
// (`const o = {}; o.total = 3`), so none refuses by itself: each only says where a judge is to look.

/** What a diagnostic may be about. */
export type Concern = "field" | "arguments" | "operands";

export const concerns: ReadonlyMap<number, Concern> = new Map([
  // Property does not exist, with and without a name that is near.
  [2339, "field"],
  [2551, "field"],
  // Type not assignable, with and without a value that is near; no properties in common; argument not assignable.
  [2322, "arguments"],
  [2820, "arguments"],
  [2559, "arguments"],
  [2345, "arguments"],
  // Names that are not known; properties that are missing.
  [2353, "arguments"],
  [2561, "arguments"],
  [2739, "arguments"],
  [2740, "arguments"],
  [2741, "arguments"],
  // So many arguments expected.
  [2554, "arguments"],
  [2555, "arguments"],
  // Sides of an arithmetic operator, of `+`, of a comparison; what is no list; what is no key.
  [2362, "operands"],
  [2363, "operands"],
  [2365, "operands"],
  [2367, "operands"],
  [2461, "operands"],
  [2488, "operands"],
  [2495, "operands"],
  [2538, "operands"],
  [2548, "operands"],
  [2549, "operands"],
]);

/** Loose on purpose, as what only `strict` refuses may be right; but what may be nothing is to be seen in a type. */
export const compilerOptions: Readonly<Record<string, unknown>> = {
  noEmit: true,
  strict: false,
  strictNullChecks: true,
  noImplicitAny: false,
  target: "esnext",
  module: "esnext",
  moduleDetection: "force",
  noResolve: true,
  lib: ["esnext"],
  types: [],
  skipLibCheck: true,
};
