import { setImmediate as settled } from "node:timers/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import type { Outcome } from "../../src/bridge/outcome.ts";
import { readRecorded } from "../../src/bridge/recorded.ts";
import { readLimits } from "../../src/limits.ts";
import type { CallLine } from "../../src/runtime/call-line.ts";
import { drive, type DriveEnd } from "../../src/runtime/drive.ts";
import { readGuestLine, settlementLine, type StartMessage } from "../../src/runtime/protocol.ts";
import { openSandbox, type Sandbox, type TurnReport } from "../../src/runtime/sandbox.ts";
import { standingOf } from "../../src/runtime/standing.ts";
import { randomProgram } from "./random-programs.ts";

const childPath = join(import.meta.dirname, "../../dist/sandbox.js");
const limits = readLimits();
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

interface Attempt {
  readonly console: string[];
  readonly warnings: string[];
  end: DriveEnd | undefined;
  isGone: boolean;
}

/** What one host did with a run before it was gone, or to the end: `log` grows, and what was decided at `stopAt` entries is the last that it did. */
async function attempt(
  start: StartMessage,
  log: JournalEntry[],
  picks: readonly number[],
  stopAt: number,
): Promise<Attempt> {
  const result: Attempt = { console: [], warnings: [], end: undefined, isGone: false };
  const recorded = readRecorded(log);
  const numbers = new Map([...recorded.bySeq].map(([seq, { call }]) => [seq, call]));
  const open: { call: number; answer: (outcome: Outcome) => void }[] = [];
  let executed = log.length;

  const append = (entry: JournalEntry): void => {
    if (result.isGone) return;
    log.push(entry);
    if (log.length >= stopAt) leave();
  };

  function leave(): void {
    result.isGone = true;
    queueMicrotask(() => program.stop("aborted", "the host is gone"));
  }

  async function answerLater(): Promise<void> {
    for (let tick = 0; tick < 3; tick += 1) await settled();
    const [taken] = open.splice((picks[executed % picks.length] ?? 0) % Math.max(1, open.length), 1);
    if (taken === undefined) return;
    executed += 1;
    const spans = { queuedMs: 0, ranMs: 0, humanMs: 0, at: 0 };
    if (executed % 5 === 0) {
      const failure = { code: "busy", message: `not the ${executed}th time` };
      append({ kind: "out", call: taken.call, ...spans, status: "error", effect: "none", failure });
      taken.answer({ status: "error", effect: "none", failure });
    } else {
      const json = JSON.stringify({ executed });
      append({ kind: "out", call: taken.call, ...spans, status: "ok", effect: "none", json, bytes: json.length });
      taken.answer({ status: "ok", effect: "none", json, bytes: json.length });
    }
  }

  const wait = (call: number): Promise<Outcome> => {
    void answerLater();
    return new Promise((answer) => open.push({ call, answer }));
  };

  const program = drive({
    sandbox: await take(),
    seats: {
      again: take,
      waiting: () => undefined,
      working: () => undefined,
      release: (sandbox, clean) => (clean && sandbox.alive ? void spare.push(sandbox) : sandbox.kill()),
    },
    start,
    limits,
    call(line: CallLine) {
      const call = numbers.size + 1;
      numbers.set(line.seq, call);
      const args = line.kind === "bad" ? "{}" : line.args;
      append({ kind: "ask", call, seq: line.seq, caller: "program", tool: "work", source: "host", args, at: 0 });
      return wait(call);
    },
    rejoin: (seq) => wait(numbers.get(seq) ?? 0),
    console: (level, text) => void (result.isGone || result.console.push(`${level} ${text}`)),
    reprinted: (level, text) => void result.console.push(`${level} ${text}`),
    warn: (text) => void result.warnings.push(text),
    delivered: (turn, now, seqs) => append({ kind: "turn", turn, now, seqs }),
    timed: (seq, ms, at) => append({ kind: "timer", seq, ms, at }),
    saw: (turns, digest, cpuMs) => append({ kind: "saw", turns, digest, cpuMs }),
    ...(log.length === 0 ? {} : { standing: standingOf(recorded) }),
  });
  const { end } = await program.ended;
  result.end = end;
  return result;
}

/** Runs the whole program again with the settlements of its log, in one process from beginning to end. */
async function runWhole(
  start: StartMessage,
  log: readonly JournalEntry[],
): Promise<{ asks: string[]; console: string[]; end: unknown }> {
  const { deliveries } = standingOf(readRecorded(log));
  const whole = { asks: [] as string[], console: [] as string[], end: undefined as unknown };
  const sandbox = await take();
  let onTurn: (report: TurnReport) => void = () => undefined;
  const turn = async (send: () => void): Promise<void> => {
    const { lines } = await new Promise<TurnReport>((resolve) => {
      onTurn = resolve;
      send();
    });
    for (const text of lines) {
      const line = readGuestLine(text);
      if (line?.kind === "call") whole.asks.push(`${line.seq} ${line.args}`);
      else if (line?.kind === "console") whole.console.push(`${line.level} ${line.text}`);
      else if (line?.kind === "value") whole.end = { value: JSON.parse(line.json) as unknown };
      else if (line?.kind === "error") whole.end = { error: line.error };
    }
  };
  await turn(() => sandbox.start(start, { onTurn: (report) => onTurn(report), onGone: () => undefined }));
  for (const { now, settlements } of deliveries) {
    await turn(() =>
      sandbox.settle(
        settlements.map((settlement) => settlementLine(settlement, now)),
        0,
      ),
    );
  }
  spare.push(sandbox);
  return whole;
}

const endOf = (end: DriveEnd | undefined): unknown =>
  end?.kind === "value" ? { value: end.value } : end?.kind === "error" ? { error: end.error } : end;

describe("a program whose host was lost", () => {
  it("J6 goes on from any part of its log as if nothing had happened: same calls, console and end", async () => {
    let resumed = 0;
    await fc.assert(
      fc.asyncProperty(
        randomProgram,
        fc.nat(),
        fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.record({ more: fc.integer({ min: 1, max: 30 }), lost: fc.nat(6) }), { maxLength: 3 }),
        async (js, seed, picks, kills) => {
          const start = startOf(js, seed);
          const log: JournalEntry[] = [];
          let last: Attempt | undefined;
          for (const { more, lost } of kills) {
            last = await attempt(start, log, picks, log.length + more);
            if (!last.isGone) break;
            // What was not durable yet is lost with its host.
            log.splice(Math.max(0, log.length - lost));
            resumed += 1;
            last = undefined;
          }
          last ??= await attempt(start, log, picks, Infinity);
          const whole = await runWhole(start, log);
          const asks = log.flatMap((entry) => (entry.kind === "ask" ? [`${entry.seq} ${entry.args}`] : []));
          expect(asks).toEqual(whole.asks);
          expect(last.console).toEqual(whole.console);
          expect(endOf(last.end)).toEqual(whole.end);
        },
      ),
      { numRuns: 60 },
    );
    expect(resumed).toBeGreaterThan(0);
  });
});
