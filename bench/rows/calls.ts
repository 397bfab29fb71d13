import { startHost } from "../host.ts";
import { type Case, time } from "../row.ts";

const calls = 1_000;

/** The cost of a call, validated and recorded; the program around it is part of the figure. */
export async function callCosts(): Promise<Case> {
  const host = await startHost();
  const sequential = `let sum = 0; for (let i = 0; i < ${calls}; i++) sum = await tools.add({ a: sum, b: 1 }); sum`;
  const parallel = `(await Promise.all(Array.from({ length: ${calls} }, (_, i) => tools.add({ a: i, b: 1 })))).length`;
  const perCall = async (code: string): Promise<number> => ((await time(() => host.run(code, calls))) * 1_000) / calls;
  return {
    name: "calls",
    rounds: 9,
    rows: [
      { name: `${calls} calls, one after another, each`, unit: "us", sample: () => perCall(sequential) },
      { name: `${calls} calls in Promise.all, each`, unit: "us", sample: () => perCall(parallel) },
    ],
    close: () => host[Symbol.asyncDispose](),
  };
}

/** Twenty slow calls under a cap of ten, against the two rounds they need at least. */
export async function fanOut(): Promise<Case> {
  const host = await startHost();
  const code = "(await Promise.all(Array.from({ length: 20 }, () => tools.wait({ ms: 100 })))).length";
  return {
    name: "fan-out",
    rounds: 5,
    rows: [
      {
        name: "20 x 100 ms in Promise.all, 10 at once",
        unit: "ms",
        against: 200,
        sample: () => time(() => host.run(code, 20)),
      },
    ],
    close: () => host[Symbol.asyncDispose](),
  };
}

export async function filter(): Promise<Case> {
  const host = await startHost();
  const code =
    'const all = await tools.records(); all.filter((r) => r.status === "open" && r.amount > 5_000).map((r) => r.id).length';
  return {
    name: "filter",
    rounds: 9,
    rows: [
      { name: "1 MB of records filtered by the program", unit: "ms", sample: () => time(() => host.run(code, 351)) },
    ],
    close: () => host[Symbol.asyncDispose](),
  };
}
