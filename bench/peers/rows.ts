import { monitorEventLoopDelay } from "node:perf_hooks";
import { treeMb } from "../memory.ts";
import { time } from "../row.ts";
import { fanOut, filter, loop, parallel, sequential, sort, trivial, typed } from "./programs.ts";
import { type Program, type System, caps } from "./system.ts";

export interface Figure {
  readonly title: string;
  readonly unit: "us" | "ms" | "MB" | "1/s";
}

export interface PeerRow {
  readonly figures: readonly Figure[];
  readonly rounds: number;
  /** Tools beside those that programs here call. */
  readonly others: number;
  /** The samples of one round, a list for each figure; `round` counts from 1, and round 0 is not kept. */
  sample(system: System, round: number): Promise<readonly (readonly number[])[]>;
}

async function expectValue(system: System, program: Program, expected: unknown): Promise<void> {
  const value = await system.run(program);
  if (value !== expected) throw new Error(`a program gave ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`);
}

/** A row of one figure, each program timed by itself. */
function timed(
  title: string,
  { rounds, programs = 1, others = 0, pauseMs = 0, unit = "ms", share = 1 }: TimedOptions,
  make: (n: number, call: System["call"]) => readonly [program: Program, expected: unknown],
): PeerRow {
  return {
    figures: [{ title, unit }],
    rounds,
    others,
    async sample(system, round) {
      const times: number[] = [];
      for (let index = 0; index < programs; index++) {
        const [program, expected] = make(round * programs + index, system.call);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const ms = await time(() => expectValue(system, program, expected));
        times.push((unit === "us" ? ms * 1_000 : ms) / share);
      }
      return [times];
    },
  };
}

interface TimedOptions {
  readonly rounds: number;
  readonly programs?: number;
  readonly others?: number;
  /** Waited before each program and not counted. */
  readonly pauseMs?: number;
  readonly unit?: "us" | "ms";
  /** What the time is divided by. */
  readonly share?: number;
}

const small = (n: number) => [trivial(n), n + 1] as const;

/** Memory comes first, as it looks at a host that has run nothing else. */
export const rows: Readonly<Record<string, PeerRow>> = {
  memory: {
    figures: [{ title: "memory of the host and its processes after 500 programs", unit: "MB" }],
    rounds: 1,
    others: 0,
    async sample(system) {
      for (let n = 0; n < 500; n++) await expectValue(system, trivial(n), n + 1);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return [[treeMb(process.pid, "Pss")]];
    },
  },
  trivial: timed("trivial program, one after another", { rounds: 5, programs: 30 }, small),
  hundred: timed("trivial program, 100 tools more", { rounds: 5, programs: 30, others: 100 }, small),
  paced: timed("trivial program, one every 250 ms", { rounds: 4, programs: 5, pauseMs: 250 }, small),
  typed: timed("30 lines of TypeScript, two calls", { rounds: 5, programs: 20 }, (n, call) => [
    typed(n, call),
    121 + n,
  ]),
  sequential: timed(
    `${caps.calls} calls, one after another, each`,
    { rounds: 5, unit: "us", share: caps.calls },
    (_, call) => [sequential(caps.calls, call), caps.calls],
  ),
  parallel: timed(
    `${caps.calls} calls in Promise.all, each`,
    { rounds: 5, unit: "us", share: caps.calls },
    (_, call) => [parallel(caps.calls, call), caps.calls],
  ),
  "fan-out": timed("20 x 100 ms in Promise.all", { rounds: 3 }, (_, call) => [fanOut(call), 20]),
  filter: timed("1 MB of records filtered by the program", { rounds: 5 }, (_, call) => [filter(call), 351]),
  loop: timed("1e7 integer steps", { rounds: 3 }, () => [loop, "number"]),
  sort: timed("sort of 1e6 numbers", { rounds: 3 }, () => [sort, true]),
  throughput: {
    figures: [
      { title: "200 programs, 8 at once", unit: "1/s" },
      { title: "the host's event loop meanwhile, late by (p99)", unit: "ms" },
      { title: "the host's event loop meanwhile, late by (most)", unit: "ms" },
    ],
    rounds: 2,
    others: 0,
    async sample(system, round) {
      const programs = 200;
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < programs) {
          const n = round * programs + next++;
          await expectValue(system, trivial(n), n + 1);
        }
      };
      const lag = await watchLoop();
      const ms = await time(() => Promise.all(Array.from({ length: 8 }, worker)));
      const { p99, max } = await lag();
      return [[(programs * 1_000) / ms], [p99], [max]];
    },
  },
};

export interface Lateness {
  readonly p99: number;
  readonly max: number;
}

/** Watches how late the event loop is, from when it resolves on; what it gives ends that and gives milliseconds. */
export async function watchLoop(): Promise<() => Promise<Lateness>> {
  const resolution = 1;
  // The watch sees nothing before its first turn, and what holds the loop up only at the next one.
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5 * resolution));
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  await turn();
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
  return async () => {
    await turn();
    histogram.disable();
    return { p99: late(histogram.percentile(99)), max: late(histogram.max) };
  };
}
