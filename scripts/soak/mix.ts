// Programs of all kinds that a long-lived runtime meets, each with how it has to end.
import type { AnyTool, RunResult } from "../../src/index.ts";
import { defineTool } from "../../src/index.ts";

export interface MixProgram {
  readonly kind: string;
  readonly code: string;
  /** One of them: `completed`, `cancelled`, or the code of the error. */
  readonly ends: readonly string[];
}

type Make = (n: number) => MixProgram;

const trivial: Make = (n) => ({ kind: "trivial", code: `const n = ${n};\nn + 1`, ends: ["completed"] });
const calls: Make = (n) => ({
  kind: "calls",
  code: `interface Sum { readonly value: number }
const sums: Sum[] = await Promise.all([1, 2, 3, 4].map(async (b) => ({ value: await tools.add({ a: ${n}, b }) })));
let total = 0;
for (const { value } of sums) total = await tools.add({ a: total, b: value });
console.log("total", total);
return total;`,
  ends: ["completed"],
});
const timers: Make = (n) => ({
  kind: "timers",
  code: `await new Promise((resolve) => setTimeout(resolve, ${n % 5}));\nreturn new URL("https://a.example/?n=${n}").search;`,
  ends: ["completed"],
});
const throws: Make = (n) => ({ kind: "throws", code: `throw new Error("number ${n}")`, ends: ["program_error"] });
const failingCall: Make = (n) => ({
  kind: "failing call",
  code: `await tools.fail({ n: ${n} })`,
  ends: ["program_error"],
});
const badArguments: Make = () => ({
  kind: "bad arguments",
  code: `await tools.add(JSON.parse('{"a":"1"}'))`,
  ends: ["program_error"],
});
const badTypes: Make = () => ({ kind: "bad types", code: 'await tools.add({ a: "1" })', ends: ["type_error"] });
const syntax: Make = (n) => ({ kind: "syntax", code: `const = ${n};`, ends: ["syntax_error"] });
const deadlock: Make = () => ({ kind: "deadlock", code: "await new Promise(() => undefined)", ends: ["deadlock"] });
const aborted: Make = () => ({ kind: "aborted", code: "await tools.hold({})", ends: ["cancelled"] });
const chatty: Make = () => ({
  kind: "chatty",
  code: 'for (let i = 0; i < 2_000; i++) console.log("x".repeat(100));\nreturn 1;',
  ends: ["completed"],
});
const loop: Make = () => ({ kind: "loop", code: "for (;;);", ends: ["cpu_limit"] });
const memory: Make = () => ({
  kind: "memory",
  code: "const kept = [];\nfor (;;) kept.push(new Array(100_000).fill(kept.length));",
  // Collecting garbage at the limit takes processor time, on a busy machine all there is.
  ends: ["memory_limit", "cpu_limit"],
});
const manyCalls: Make = () => ({
  kind: "too many calls",
  code: "for (let i = 0; i < 101; i++) await tools.add({ a: i, b: 1 });",
  ends: ["calls_limit"],
});

/** Of a hundred programs so many of each; the costly ones are few. */
const shares: readonly (readonly [Make, number])[] = [
  [trivial, 38],
  [calls, 22],
  [timers, 8],
  [throws, 6],
  [failingCall, 5],
  [badArguments, 2],
  [badTypes, 2],
  [syntax, 4],
  [deadlock, 4],
  [aborted, 4],
  [chatty, 2],
  [manyCalls, 1],
  [loop, 1],
  [memory, 1],
];
const hundred = shares.flatMap(([make, share]) => Array<Make>(share).fill(make));

/** The n-th program; 37 shares no divisor with 100, so that every hundred has each kind, well mixed. */
export function mixProgram(n: number): MixProgram {
  const make = hundred[(n * 37) % hundred.length] ?? trivial;
  return make(n);
}

/** Its process is killed while its call runs; it is repeated in another. */
export const crashed: MixProgram = {
  kind: "crashed",
  code: "const sum = await tools.add({ a: 1, b: 1 });\nawait tools.interrupt({});\nreturn sum;",
  // Where the other has already died too, though nobody has noticed, it has lost two.
  ends: ["completed", "sandbox_crashed"],
};

export const limits = { cpuMs: 2_000, memoryMb: 32, calls: 100 } as const;

/** What a host gives with a program: it is told when its call of `hold` or `interrupt` runs. */
export interface Services {
  readonly [name: string]: unknown;
  readonly onCall?: () => void;
}

export function mixTools(): AnyTool[] {
  const number = { type: "number" } as const;
  const common = { effects: ["read"], parallelSafe: true } as const;
  return [
    defineTool({
      ...common,
      name: "add",
      description: "Returns the sum of two numbers.",
      inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
      outputSchema: number,
      execute: ({ a, b }) => Number(a) + Number(b),
    }),
    defineTool({
      ...common,
      name: "fail",
      description: "Fails.",
      inputSchema: { type: "object", properties: { n: number } },
      execute: () => {
        throw new Error("as it must");
      },
    }),
    defineTool({
      ...common,
      name: "hold",
      description: "Waits until it is aborted.",
      inputSchema: { type: "object", properties: {} },
      execute: (_, { signal, services }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          (services as Services).onCall?.();
        }),
    }),
    defineTool({
      ...common,
      name: "interrupt",
      description: "Returns after the host was told.",
      inputSchema: { type: "object", properties: {} },
      execute: (_, { services }) => {
        (services as Services).onCall?.();
        return null;
      },
    }),
  ];
}

export const endOf = (run: RunResult): string =>
  "error" in run && run.status === "failed" ? run.error.code : run.status;
