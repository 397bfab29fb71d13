// The process in which a program computes, as a place that outlasts it. While the program only waits, its process may be
// given to somebody who needs it, and any process may crash. When the program has to go on without one, it is repeated in
// another from its tape, compared with the first time, and only then given what is new: nothing is asked or printed twice.
import { type Code, Fault } from "../errors.ts";
import { bounds, type Limits } from "../limits.ts";
import { type GuestLine, readGuestLine, type Settlement, settlementLine, type StartMessage } from "./protocol.ts";
import { createReplay, type Replay } from "./replay.ts";
import type { Gone, Sandbox, TurnReport } from "./sandbox.ts";
import { inSlices } from "./slices.ts";
import { createTape, type Delivery } from "./tape.ts";

/** Where processes come from and go to. */
export interface Seats {
  /** Another process for a program that gave its own up or lost it; rejects with a `Fault`. */
  again(signal: AbortSignal): Promise<Sandbox>;
  /** The program only waits: `park` asks it to release the process. */
  waiting(sandbox: Sandbox, park: () => void): void;
  /** It computes again. */
  working(sandbox: Sandbox): void;
  /** `clean`: another program may use the process; otherwise it is ended. */
  release(sandbox: Sandbox, clean: boolean): void;
}

export interface SeatFault {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
}

/** Where a program stood that another process, or another host, was running. */
export interface Stood {
  /** What it was given, in order. */
  readonly deliveries: readonly Delivery[];
  /** What was seen of it after the first `turns` of them. */
  readonly course?: { readonly turns: number; readonly digest: string; readonly cpuMs: number };
}

export interface SeatOptions {
  readonly sandbox: Sandbox;
  readonly seats: Seats;
  readonly start: StartMessage;
  readonly limits: Limits;
  /** Each guest line once, however often the program is repeated. */
  readonly onLine: (line: Exclude<GuestLine, { kind: "applied" }>, syntax: boolean) => void;
  /** The program takes settlements now. */
  readonly onListen: () => void;
  readonly onFault: (fault: SeatFault) => void;
  /** Given where the program goes on from a journal: it is repeated up to there first. */
  readonly stood?: Stood;
  /** A repetition from the journal begins: again, where its process was lost. */
  readonly onRepeat?: () => void;
  /** What it said in its repetition; `isNew` where it may be what the journal does not hold yet. */
  readonly onRepeated?: (line: Exclude<GuestLine, { kind: "applied" }>, isNew: boolean) => void;
  /** What was seen of the program after so many deliveries, told each time that it waits. */
  readonly saw?: (turns: number, digest: string, cpuMs: number) => void;
  readonly warn: (text: string) => void;
  /** For the host alone: what went wrong, and its cause. */
  readonly log?: (message: string, cause: unknown) => void;
  /** Settlements `first`, `first + 1`, … delivered these at `now`; told before what they led to. */
  readonly delivered: (first: number, now: number, seqs: readonly number[]) => void;
}

/** Spans in ms. */
export interface Spent {
  readonly cpuMs: number;
  /** Of a program that could have gone on and had no process. */
  readonly queueMs: number;
  readonly idleMs: number;
}

export interface Seat {
  /** Whether the program takes settlements now. */
  readonly listens: boolean;
  /** Gives it some; it listens again once it has done with them. */
  deliver(settlements: readonly Settlement[]): void;
  /** Nothing is to be given for now. */
  rest(): void;
  /** The end; `clean` unless the process has to be killed. */
  leave(clean: boolean): Spent;
}

/** `queueing`: what is new waits for a process and for the repetition in it. */
type Phase = "computing" | "reading" | "listening" | "queueing" | "left";

const limitFaults: Readonly<Record<string, (cpuMs: number, memoryMb: number) => SeatFault>> = {
  cpu: (cpuMs) => ({
    code: "cpu_limit",
    message: `the program used up its ${cpuMs} ms of processor time`,
    hint: "do less per program, or look for a loop that never ends (time stands still between awaits)",
  }),
  memory: (_cpuMs, memoryMb) => ({
    code: "memory_limit",
    message: `the program used more than its ${memoryMb} MB of memory`,
    hint: "keep less at once: filter early, work in pages",
  }),
  lost: () => ({ code: "sandbox_crashed", message: "the state of the program was lost" }),
};

const noMessage: SeatFault = {
  code: "protocol_violation",
  message: "the sandbox process sent a line that is no message",
};

const outcomes: ReadonlySet<GuestLine["kind"]> = new Set(["value", "preview", "unusable", "error"]);
const isOutcome = ({ kind }: GuestLine): boolean => outcomes.has(kind);

export function openSeat(options: SeatOptions): Seat {
  const { seats, start, onFault } = options;
  let tape = createTape();
  const stopped = new AbortController();
  const spent = { cpuMs: 0, queueMs: 0, idleMs: 0 };
  let sandbox: Sandbox | undefined = options.sandbox;
  let phase: Phase = "computing";
  let since = performance.now();
  let isResting = false;
  /** Whether the first turn was heard. */
  let begun = false;
  /** Repeats from the journal; `undefined` once that is done. */
  let stood = options.stood;
  let crashes = 0;
  /** Processes that died before they took the program. */
  let untaken = 0;
  /** The crash that the program has not got over yet. */
  let lost: Gone | undefined;
  let batch: readonly Settlement[] = [];
  let now = start.header.now;
  let delivered = 0;
  let turns = 0;
  let replay: Replay | undefined;

  function enter(next: Phase): void {
    const at = performance.now();
    if (phase === "listening") spent.idleMs += at - since;
    else if (phase === "queueing") spent.queueMs += at - since;
    phase = next;
    since = at;
  }

  /** Hands over what is new: to begin, or the settlements. */
  function go(to: Sandbox): void {
    enter("computing");
    if (!begun) return to.start(start, userOf(to));
    now = Math.max(now, Date.now());
    to.settle(
      batch.map((settlement) => settlementLine(settlement, now)),
      spent.cpuMs,
    );
  }

  const userOf = (of: Sandbox): { onTurn(report: TurnReport): void; onGone(gone: Gone): void } => ({
    onTurn(report) {
      if (sandbox !== of) return;
      if (replay === undefined) hear(report);
      else compare(of, replay, report);
    },
    onGone(gone) {
      if (sandbox === of) lose(of, gone);
    },
  });

  function hear(report: TurnReport): void {
    begun = true;
    spent.cpuMs = report.cpuMs;
    enter("reading");
    inSlices(
      report.lines,
      (text) => hearLine(text, report.end),
      () => finishTurn(report.end),
    );
  }

  function hearLine(text: string, how: TurnReport["end"]): boolean {
    tape.hear(text);
    const line = readGuestLine(text);
    if (line === undefined) {
      onFault(noMessage);
    } else if (line.kind === "applied") apply(line.count);
    // A program that went on after its end until a limit stopped it ends by the limit.
    else if (!isOutcome(line) || limitFaults[how] === undefined) options.onLine(line, how === "syntax");
    return phase !== "left";
  }

  function apply(count: number): void {
    const settlements = batch.slice(0, count);
    batch = [];
    if (settlements.length === 0) return;
    tape.deliver({ now, settlements });
    options.delivered(
      delivered + 1,
      now,
      settlements.map(({ seq }) => seq),
    );
    delivered += settlements.length;
    turns += 1;
  }

  function finishTurn(how: TurnReport["end"]): void {
    const fault = limitFaults[how]?.(start.cpuMs, options.limits.memoryMb) ?? final();
    if (fault !== undefined) return onFault(fault);
    batch = [];
    if (tape.isWhole) options.saw?.(turns, tape.course().digest, spent.cpuMs);
    enter("listening");
    options.onListen();
    return undefined;
  }

  /**
   * A process that crashed is replaced once. What it was doing has not happened, as nothing was heard of it. One that died
   * before it took the program is replaced without a word: the program had no part in it.
   */
  function lose(of: Sandbox, gone: Gone): void {
    if (gone.code !== "sandbox_crashed") return onFault(gone);
    sandbox = undefined;
    isResting = false;
    seats.release(of, false);
    if (gone.untaken === true && untaken < bounds.untakenProcesses) {
      untaken += 1;
      return resume();
    }
    crashes += 1;
    lost = gone;
    // What was heard is read to its end first: the program may have ended in it.
    if (phase === "reading") return undefined;
    const fault = final();
    if (fault !== undefined) return onFault(fault);
    if (phase !== "listening") resume();
    return undefined;
  }

  /** Why the loss of a process is the end. */
  function final(): SeatFault | undefined {
    if (lost === undefined || (crashes < 2 && tape.isWhole)) return undefined;
    const { code, message } = lost;
    return {
      code,
      message: `${message}, ${crashes > 1 ? "the second one under this program" : "and the program had been given too much to be repeated in another"}`,
    };
  }

  function resume(): void {
    if (phase !== "queueing") enter("queueing");
    replay = undefined;
    seats.again(stopped.signal).then(take, (error: unknown) => {
      if (phase === "left") return;
      if (!(error instanceof Fault) || error.cause !== undefined) options.log?.("no process came for a program", error);
      const { code, message, hint } = error instanceof Fault ? error : new Fault("internal_error", "no process came");
      onFault({ code: code as Code, message, ...(hint === undefined ? {} : { hint }) });
    });
  }

  function take(taken: Sandbox): void {
    if (phase === "left") return seats.release(taken, true);
    sandbox = taken;
    if (stood !== undefined) return repeatFrom(stood, taken);
    if (!begun) return goOn(taken);
    replay = createReplay(tape);
    return taken.start(start, userOf(taken));
  }

  /** A turn of the repetition: nothing that it asks for or prints goes out. */
  function compare(of: Sandbox, running: Replay, report: TurnReport): void {
    const done = (): void => {
      const fault = limitFaults[report.end]?.(start.cpuMs, options.limits.memoryMb);
      if (fault !== undefined) return onFault(fault);
      const next = running.next();
      // The repetition is not charged: each of its messages has the whole budget.
      if (next !== undefined) return of.settle(next, 0);
      const difference = running.difference();
      if (difference !== undefined) return onFault(diverged(difference));
      return goOn(of);
    };
    inSlices(
      report.lines,
      (text) => {
        running.hear(text);
        return replay === running && phase !== "left";
      },
      done,
    );
  }

  /** Repeats the program from what a journal holds: in two parts, as what came after it was last seen cannot be compared. */
  function repeatFrom({ deliveries, course }: Stood, of: Sandbox): void {
    tape = createTape();
    let at = 0;
    let isNew = course === undefined;
    options.onRepeat?.();

    function next(): readonly string[] | undefined {
      const until = isNew ? deliveries.length : (course?.turns ?? 0);
      const lines: string[] = [];
      for (let chars = 0; at < until && lines.length < bounds.settledAtOnce && chars < bounds.settledChars; at += 1) {
        const delivery = deliveries[at] as Delivery;
        tape.deliver(delivery);
        for (const settlement of delivery.settlements) {
          const line = settlementLine(settlement, delivery.now);
          chars += line.length;
          lines.push(line);
        }
      }
      return lines.length === 0 ? undefined : lines;
    }

    function onTurn(report: TurnReport): void {
      inSlices(
        report.lines,
        (text) => {
          tape.hear(text);
          const line = readGuestLine(text);
          if (line === undefined) onFault(noMessage);
          else if (line.kind !== "applied") options.onRepeated?.(line, isNew);
          return sandbox === of && phase !== "left";
        },
        () => done(report.end),
      );
    }

    function done(how: TurnReport["end"]): void {
      const fault = limitFaults[how]?.(start.cpuMs, options.limits.memoryMb);
      if (fault !== undefined) return onFault(fault);
      const lines = next();
      if (lines !== undefined) return of.settle(lines, 0);
      if (!isNew) {
        if (tape.isWhole && tape.course().digest !== course?.digest) return onFault(diverged("it did other things"));
        isNew = true;
        return done(how);
      }
      return standUp(deliveries, course?.cpuMs ?? 0);
    }

    const user = userOf(of);
    of.start(start, {
      ...user,
      onTurn(report) {
        if (stood === undefined) user.onTurn(report);
        else if (sandbox === of) onTurn(report);
      },
    });
  }

  /** The program stands where it stood. */
  function standUp(deliveries: readonly Delivery[], cpuMs: number): void {
    stood = undefined;
    begun = true;
    lost = undefined;
    turns = deliveries.length;
    delivered = deliveries.reduce((sum, { settlements }) => sum + settlements.length, 0);
    now = Math.max(now, deliveries.at(-1)?.now ?? 0);
    spent.cpuMs = cpuMs;
    enter("listening");
    options.onListen();
  }

  function goOn(to: Sandbox): void {
    if (lost !== undefined)
      options.warn(`${lost.message}; the program was repeated in another one and went on, and no call was made twice`);
    lost = undefined;
    replay = undefined;
    go(to);
  }

  function park(): void {
    const given = sandbox;
    if (!isResting || given === undefined) return;
    isResting = false;
    sandbox = undefined;
    seats.release(given, true);
  }

  function stir(): void {
    if (isResting && sandbox !== undefined) seats.working(sandbox);
    isResting = false;
  }

  if (stood === undefined) go(options.sandbox);
  else {
    enter("queueing");
    take(options.sandbox);
  }
  return {
    get listens() {
      return phase === "listening";
    },
    deliver(settlements) {
      stir();
      batch = settlements;
      if (sandbox === undefined) resume();
      else go(sandbox);
    },
    rest() {
      if (sandbox === undefined || !tape.isWhole) return;
      if (spent.cpuMs > bounds.parkCpuMs || tape.chars > bounds.parkChars) return;
      isResting = true;
      seats.waiting(sandbox, park);
    },
    leave(clean) {
      // A program that was killed while it computed is charged the time of its last stretch.
      const left = Math.max(0, start.cpuMs - spent.cpuMs);
      if (phase === "computing" && !clean) spent.cpuMs += Math.min(performance.now() - since, left);
      enter("left");
      stopped.abort();
      stir();
      if (sandbox !== undefined) seats.release(sandbox, clean);
      return spent;
    },
  };
}

const diverged = (difference: string): SeatFault => ({
  code: "replay_diverged",
  message: `the program had to be repeated in another sandbox process and did not do the same again: ${difference}`,
  hint: "the calls of the record were made once; this is a fault of the sandbox, not of the program",
});
