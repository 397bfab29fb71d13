import { createContext, Script } from "node:vm";
import { startHost } from "../host.ts";
import { type Case, type Row, time } from "../row.ts";

const steps = `let sum = 0;
for (let i = 0; i < 1e7; i++) sum = (sum * 31 + i) | 0;
`;
const sort = `let seed = 1;
const next = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff);
const all = Array.from({ length: 1e6 }, next);
all.sort((a, b) => a - b);
let ordered = true;
for (let i = 1; i < all.length; i++) ordered &&= all[i - 1] <= all[i];
`;

async function inContext(body: string, expected: unknown): Promise<void> {
  const script = new Script(`(async () => {"use strict";${body}})()`);
  const value: unknown = await script.runInContext(createContext({}));
  if (value !== expected) throw new Error(`node:vm gave ${String(value)}`);
}

/** Work inside the guest against the same text in a new context of `node:vm`; the host's own engine has all its optimisers. */
export async function cpu(): Promise<Case> {
  const host = await startHost();
  const pair = (name: string, body: string, result: string, expected: unknown): Row[] => [
    {
      name,
      unit: "ms",
      against: `${name}, node:vm`,
      sample: (round) => time(() => host.run(`// ${round}\n${body}return ${result};`, expected)),
    },
    {
      name: `${name}, node:vm`,
      unit: "ms",
      sample: (round) => time(() => inContext(`// ${round}\n${body}return ${result};`, expected)),
    },
  ];
  return {
    name: "cpu",
    rounds: 7,
    rows: [
      ...pair("1e7 integer steps", steps, "typeof sum", "number"),
      ...pair("sort of 1e6 numbers", sort, "ordered", true),
    ],
    close: () => host[Symbol.asyncDispose](),
  };
}
