import type { Program, System } from "./system.ts";

type Call = System["call"];

/** Each has a text of its own, so that nothing compiled is reused. */
export const trivial = (n: number): Program => ({ body: `const n${n} = ${n};`, result: `n${n} + 1` });

export const typed = (n: number, call: Call): Program => ({
  typed: true,
  body: `interface Line {
  readonly product: string;
  readonly quantity: number;
  readonly price: number;
}

interface Summary {
  total: number;
  largest: string | undefined;
}

const lines: Line[] = [
  { product: "pen", quantity: 12, price: 3 },
  { product: "paper", quantity: 4, price: 9 },
  { product: "lamp", quantity: 1, price: 40 + ${n} },
];

function summarise(all: readonly Line[]): Summary {
  let largest: Line | undefined;
  let total = 0;
  for (const line of all) {
    total += line.quantity * line.price;
    if (largest === undefined || line.price > largest.price) largest = line;
  }
  return { total, largest: largest?.product };
}

const summary = summarise(lines);
const withTax: number = await ${call("add", "{ a: summary.total, b: 10 }")};
const final: number = await ${call("add", "{ a: withTax, b: -1 }")};`,
  result: "final",
});

export const sequential = (calls: number, call: Call): Program => ({
  body: `let sum = 0;
for (let i = 0; i < ${calls}; i++) sum = await ${call("add", "{ a: sum, b: 1 }")};`,
  result: "sum",
});

export const parallel = (calls: number, call: Call): Program => ({
  body: `const all = await Promise.all(Array.from({ length: ${calls} }, (_, i) => ${call("add", "{ a: i, b: 1 }")}));`,
  result: "all.length",
});

export const fanOut = (call: Call): Program => ({
  body: `const all = await Promise.all(Array.from({ length: 20 }, () => ${call("wait", "{ ms: 100 }")}));`,
  result: "all.length",
});

export const filter = (call: Call): Program => ({
  body: `const all = await ${call("records", "{}")};
const found = all.filter((r) => r.status === "open" && r.amount > 5_000);`,
  result: "found.length",
});

export const loop: Program = {
  body: "let sum = 0;\nfor (let i = 0; i < 1e7; i++) sum = (sum * 31 + i) | 0;",
  result: "typeof sum",
};

export const sort: Program = {
  body: `let seed = 1;
const numbers = Array.from({ length: 1e6 }, () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff));
numbers.sort((a, b) => a - b);
let ordered = true;
for (let i = 1; i < numbers.length; i++) ordered &&= numbers[i - 1] <= numbers[i];`,
  result: "ordered",
};

/** What a host has to survive: by name, and each under a limit of one second and 64 MB. */
export const hostile: Readonly<Record<string, (call: Call) => Program>> = {
  "endless loop": () => ({ body: "for (;;);", result: "0" }),
  "endless loop after an await": (call) => ({
    body: `await ${call("add", "{ a: 1, b: 1 }")};\nfor (;;);`,
    result: "0",
  }),
  "promise that never settles": () => ({ body: "await new Promise(() => undefined);", result: "0" }),
  "memory without end": () => ({
    body: "const kept = [];\nfor (;;) kept.push(new Array(100_000).fill(kept.length));",
    result: "0",
  }),
  "string without end": () => ({
    body: 'const kept = [];\nfor (;;) kept.push("x".repeat(1 << 20) + kept.length);',
    result: "0",
  }),
  "recursion without end": () => ({ body: "const again = (n) => 1 + again(n + 1);\nagain(0);", result: "0" }),
  "100,000 calls": (call) => ({
    body: `for (let i = 0; i < 100_000; i++) await ${call("add", "{ a: 1, b: 1 }")};`,
    result: "0",
  }),
  "pattern that backtracks": () => ({ body: 'const found = /^(a+)+$/.test("a".repeat(60) + "b");', result: "found" }),
};

/** What a checked call does not let pass. */
export const checks: Readonly<Record<string, (call: Call) => Program>> = {
  "a call without a required argument": (call) => ({ body: "", result: `await ${call("add", "{ a: 1 }")}` }),
  "an argument of the wrong type": (call) => ({ body: "", result: `await ${call("add", '{ a: "1", b: 1 }')}` }),
  "a result that breaks its schema": (call) => ({ body: "", result: `await ${call("odd", "{}")}` }),
};
