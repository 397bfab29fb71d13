import { type Host, startHost } from "../host.ts";
import { type Case, time } from "../row.ts";

const perRound = 40;

async function many(
  host: Host,
  round: number,
  program: (n: number) => readonly [code: string, value: unknown],
): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < perRound; index++) {
    const [code, value] = program(round * perRound + index);
    times.push(await time(() => host.run(code, value)));
  }
  return times;
}

const trivial = (n: number) => [`const n${n} = ${n};\nn${n} + 1`, n + 1] as const;

const typed = (n: number) =>
  [
    `interface Line {
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
const withTax: number = await tools.add({ a: summary.total, b: 10 });
const final: number = await tools.add({ a: withTax, b: -1 });
return { final, largest: summary.largest satisfies string | undefined };`,
    { final: 121 + n, largest: "lamp" },
  ] as const;

/** Text to result on a warm runtime; every program has a text of its own, so nothing compiled is reused. */
export async function latency(): Promise<Case> {
  const few = await startHost();
  const hundred = await startHost(100);
  return {
    name: "programs",
    rounds: 5,
    rows: [
      { name: "trivial program", unit: "ms", sample: (round) => many(few, round, trivial) },
      {
        name: "trivial program, 100 tools more",
        unit: "ms",
        against: "trivial program",
        sample: (round) => many(hundred, round, trivial),
      },
      {
        name: "30 lines of TypeScript, two calls",
        unit: "ms",
        against: "trivial program",
        sample: (round) => many(few, round, typed),
      },
    ],
    close: async () => {
      await few[Symbol.asyncDispose]();
      await hundred[Symbol.asyncDispose]();
    },
  };
}

/** Many programs at once: how many end in a second, and how long the host's own loop was held up. */
export async function throughput(): Promise<Case> {
  const host = await startHost();
  const programs = 200;
  return {
    name: "throughput",
    rounds: 3,
    rows: [
      {
        name: "200 programs, 8 at once",
        unit: "1/s",
        async sample(round) {
          let next = 0;
          const worker = async (): Promise<void> => {
            while (next < programs) await host.run(...trivial(round * programs + next++));
          };
          return (programs * 1_000) / (await time(() => Promise.all(Array.from({ length: 8 }, worker))));
        },
      },
    ],
    close: () => host[Symbol.asyncDispose](),
  };
}
