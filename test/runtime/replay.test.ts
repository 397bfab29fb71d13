import { setImmediate as settled } from "node:timers/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/bridge/outcome.ts";
import { readLimits } from "../../src/limits.ts";
import { drive, type DriveEnd } from "../../src/runtime/drive.ts";
import { readGuestLine, settlementLine, type Settlement, type StartMessage } from "../../src/runtime/protocol.ts";
import { openSandbox, type Sandbox, type TurnReport } from "../../src/runtime/sandbox.ts";
import { randomProgram } from "./random-programs.ts";

const childPath = join(import.meta.dirname, "../../dist/sandbox.js");
const limits = readLimits();

/** Sandbox processes, each made fresh before it is given away. */
const spare: Sandbox[] = [];
const all = new Set<Sandbox>();

async function take(): Promise<Sandbox> {
  const used = spare.pop();
  if (used !== undefined && (await used.renew())) return used;
  const sandbox = openSandbox({ nodePath: process.execPath, childPath, memoryMb: 64 });
  all.add(sandbox);
  await sandbox.ready;
  return sandbox;
}

afterAll(() => Promise.all([...all].map((sandbox) => sandbox[Symbol.asyncDispose]())));

const startOf = (js: string, seed: number): StartMessage => ({
  program: "run_1",
  js,
  cpuMs: limits.cpuMs,
  header: {
    tools: [{ name: "work" }],
    seed: [seed, 2, 3, 4],
    now: Date.now(),
    state: "{}",
    limits: {
      calls: limits.calls,
      argumentBytes: limits.argumentBytes,
      consoleBytes: limits.consoleBytes,
      returnBytes: limits.returnBytes,
      stateBytes: limits.stateBytes,
      transferBytes: 1_000_000,
      timers: 100,
    },
  },
});

/** All that can be seen of a program from outside. */
interface Course {
  readonly calls: string[];
  readonly console: string[];
  end: unknown;
  /** What was delivered: times and numbers, in order. */
  readonly turns: { readonly now: number; readonly seqs: readonly number[] }[];
}

const courseOf = (): Course => ({ calls: [], console: [], end: undefined, turns: [] });

type Event = "nothing" | "park" | "crash";

interface Broken extends Course {
  readonly settlements: Map<number, Settlement>;
  readonly warnings: string[];
  parked: number;
  crashed: number;
}

/** Runs a program that loses its process where `events` say so, each time it waits; its calls are answered in the order that `picks` say. */
async function runBroken(start: StartMessage, events: readonly Event[], picks: readonly number[]): Promise<Broken> {
  const run: Broken = { ...courseOf(), settlements: new Map(), warnings: [], parked: 0, crashed: 0 };
  const open: { seq: number; answer: (outcome: Outcome) => void }[] = [];
  let waits = 0;
  let executed = 0;

  function answerOne(): void {
    const pick = (picks[executed % picks.length] ?? 0) % Math.max(1, open.length);
    const [call] = open.splice(pick, 1);
    if (call === undefined) return;
    executed += 1;
    const isFailure = executed % 5 === 0;
    const failure = { code: "busy", message: `not the ${executed}th time` };
    const json = JSON.stringify({ executed });
    run.settlements.set(call.seq, isFailure ? failedLine(call.seq, failure) : { seq: call.seq, kind: "ok", json });
    call.answer(
      isFailure
        ? { status: "error", effect: "none", failure }
        : { status: "ok", effect: "none", json, bytes: json.length },
    );
  }

  /** What happens to a program that waits happens before. */
  async function answerLater(): Promise<void> {
    for (let tick = 0; tick < 5; tick += 1) await settled();
    answerOne();
  }

  const driven = drive({
    sandbox: await take(),
    seats: {
      again: take,
      waiting(sandbox, park) {
        const event = events[waits % events.length];
        waits += 1;
        setImmediate(() => {
          if (event === "park") {
            run.parked += 1;
            park();
          } else if (event === "crash" && run.crashed === 0) {
            run.crashed += 1;
            process.kill(sandbox.pid ?? 0, "SIGKILL");
          }
        });
      },
      working: () => undefined,
      release: (sandbox, clean) => (clean && sandbox.alive ? void spare.push(sandbox) : sandbox.kill()),
    },
    start,
    limits,
    call: (line) => {
      run.calls.push(JSON.stringify(line));
      void answerLater();
      return new Promise((answer) => open.push({ seq: line.seq, answer }));
    },
    console: (level, text) => void run.console.push(`${level} ${text}`),
    warn: (text) => void run.warnings.push(text),
    delivered: (first, now, seqs) => {
      expect(first).toBe(run.turns.reduce((sum, turn) => sum + turn.seqs.length, 1));
      run.turns.push({ now, seqs });
    },
  });
  const { end, pending } = await driven.ended;
  run.end = endOf(end, [...pending]);
  return run;
}

const failedLine = (seq: number, failure: { code: string; message: string }): Settlement => ({
  seq,
  kind: "err",
  json: JSON.stringify({ ...failure, status: "error", effect: "none", tool: "work" }),
});

const endOf = (end: DriveEnd, pending: unknown): unknown =>
  end.kind === "value"
    ? { pending, value: end.value }
    : end.kind === "error"
      ? { pending, ...end.error }
      : { code: end.kind === "fault" ? end.code : end.kind };

/** Runs a program in one process, from its beginning to its end, with the settlements of a broken run. */
async function runWhole(start: StartMessage, broken: Broken): Promise<Course> {
  const run = courseOf();
  const sandbox = await take();
  const pending: [number, string][] = [];
  const answer = async (send: (onTurn: (report: TurnReport) => void) => void): Promise<number> => {
    const { lines } = await new Promise<TurnReport>((resolve) => send(resolve));
    let applied = 0;
    for (const text of lines) {
      const line = readGuestLine(text);
      if (line?.kind === "call") run.calls.push(JSON.stringify(line));
      else if (line?.kind === "console") run.console.push(`${line.level} ${line.text}`);
      else if (line?.kind === "applied") applied = line.count;
      else if (line?.kind === "pending") pending.push([line.seq, line.stack]);
      else if (line?.kind === "value") run.end = endOf({ kind: "value", value: JSON.parse(line.json) }, pending);
      else if (line?.kind === "error") run.end = endOf({ ...line, code: "program_error" }, pending);
    }
    return applied;
  };
  let onTurn: (report: TurnReport) => void = () => undefined;
  await answer((resolve) => {
    onTurn = resolve;
    sandbox.start(start, { onTurn: (report) => onTurn(report), onGone: () => undefined });
  });
  for (const { now, seqs } of broken.turns) {
    const lines = seqs.map((seq) =>
      settlementLine(broken.settlements.get(seq) ?? { seq, kind: "fire", json: "" }, now),
    );
    const applied = await answer((resolve) => {
      onTurn = resolve;
      sandbox.settle(lines, 0);
    });
    run.turns.push({ now, seqs: seqs.slice(0, applied) });
  }
  spare.push(sandbox);
  return run;
}

const visible = ({ calls, console: printed, end, turns }: Course): Course => ({ calls, console: printed, end, turns });

describe("a program that loses its process on the way", () => {
  it("X13 X18 J1 goes on as if it had kept it: same calls, console, value and journal, whatever it does", async () => {
    let parked = 0;
    let crashed = 0;
    await fc.assert(
      fc.asyncProperty(
        randomProgram,
        fc.nat(),
        fc.array(fc.constantFrom<Event>("nothing", "park", "park", "crash"), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 8 }),
        async (js, seed, events, picks) => {
          const start = startOf(js, seed);
          const broken = await runBroken(start, events, picks);
          parked += broken.parked;
          crashed += broken.crashed;
          expect(visible(broken)).toEqual(visible(await runWhole(start, broken)));
          const seqs = broken.calls.map((call) => (JSON.parse(call) as { seq: number }).seq);
          expect(seqs).toEqual([...new Set(seqs)]);
        },
      ),
      { numRuns: 40 },
    );
    expect(parked).toBeGreaterThan(10);
    expect(crashed).toBeGreaterThan(3);
  });
});

it("X5 X13 processor time counts from where the host says that it stands", async () => {
  const sandbox = await take();
  const js = "(async () => { for (;;) await tools.work({}) })";
  const turn = (send: () => void): Promise<TurnReport> =>
    new Promise((resolve) => {
      heard = resolve;
      send();
    });
  let heard: (report: TurnReport) => void = () => undefined;
  const user = { onTurn: (report: TurnReport) => heard(report), onGone: () => undefined };
  const first = await turn(() => sandbox.start(startOf(js, 1), user));
  const charged = await turn(() => sandbox.settle([`1 ok ${Date.now()} 1`], 2_500));
  const uncharged = await turn(() => sandbox.settle([`2 ok ${Date.now()} 1`], 0));
  expect([first, charged, uncharged].map(({ end, cpuMs }) => [end, Math.floor(cpuMs / 2_500)])).toEqual([
    ["-", 0],
    ["-", 1],
    ["-", 0],
  ]);
  spare.push(sandbox);
});
