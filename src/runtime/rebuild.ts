// What a program that is repeated from its journal asks for again, held against what the journal holds of it.
import type { CallLine } from "./call-line.ts";
import type { GuestLine, Settlement } from "./protocol.ts";
import type { SeatFault, Stood } from "./seat.ts";

/** A call that the journal holds. */
export interface KnownCall {
  readonly tool: string;
  /** JSON text, as it crossed. */
  readonly args: string;
}

export interface KnownTimer {
  readonly ms: number;
  /** ms since 1970 from which it runs. */
  readonly at: number;
}

/** Where a program stood, by the guest's own numbers. */
export interface Standing extends Stood {
  readonly calls: ReadonlyMap<number, KnownCall>;
  /** How calls ended of which the program was not told, in the order in which they ended. */
  readonly untold: readonly Settlement[];
  /** Calls that have not ended, in the order asked. */
  readonly open: readonly number[];
  readonly timers: ReadonlyMap<number, KnownTimer>;
}

type RepeatedLine = Exclude<GuestLine, { kind: "applied" }>;

/** What a repetition came to. */
export interface Rebuilt {
  readonly calls: number;
  /** Asked for and not in the journal yet. */
  readonly fresh: readonly CallLine[];
  /** Not fired and not cleared, with the time in ms since 1970 at which each is due. */
  readonly timers: ReadonlyMap<number, { readonly due: number; readonly isKnown: boolean; readonly ms: number }>;
  /** Everything else that it said, in order. */
  readonly said: readonly RepeatedLine[];
}

export interface Rebuild {
  /** Forgets what was heard: the repetition begins anew. */
  reset(): void;
  /** Takes a line; a fault where it is not what the journal holds. */
  hear(line: RepeatedLine, isNew: boolean): SeatFault | undefined;
  /** A fault where the program did not ask again for everything that the journal holds. */
  finish(now: number): Rebuilt | SeatFault;
}

export function createRebuild(standing: Standing, nameOf: (line: CallLine) => string): Rebuild {
  let asked = new Set<number>();
  let fresh: CallLine[] = [];
  let timers = new Map<number, number>();
  let said: RepeatedLine[] = [];

  function takeCall(line: CallLine, isNew: boolean): SeatFault | undefined {
    const known = standing.calls.get(line.seq);
    const tool = nameOf(line);
    const args = line.kind === "bad" ? "{}" : line.args;
    if (known === undefined) {
      if (!isNew) return diverged(`it asked for ${told(tool, args)}, which the record does not hold`);
      fresh.push(line);
    } else if (known.tool !== tool || known.args !== args) {
      return diverged(`it asked for ${told(tool, args)} where the record has ${told(known.tool, known.args)}`);
    }
    asked.add(line.seq);
    return undefined;
  }

  return {
    reset() {
      asked = new Set();
      fresh = [];
      timers = new Map();
      said = [];
    },
    hear(line, isNew) {
      switch (line.kind) {
        case "call":
        case "unoffered":
        case "bad":
          return takeCall(line, isNew);
        case "timer":
          timers.set(line.seq, line.ms);
          return undefined;
        case "clear":
          timers.delete(line.seq);
          return undefined;
        case "console":
        case "warning":
        case "lost":
          said.push(line);
          return undefined;
        default:
          if (!isNew) return diverged("it ended where it had gone on");
          said.push(line);
          return undefined;
      }
    },
    finish(now) {
      for (const [seq, { tool, args }] of standing.calls) {
        if (!asked.has(seq)) return diverged(`it did not ask again for ${told(tool, args)}, which the record holds`);
      }
      for (const { settlements } of standing.deliveries) for (const { seq } of settlements) timers.delete(seq);
      const pending = [...timers].map(([seq, ms]) => {
        const known = standing.timers.get(seq);
        return [seq, { due: (known?.at ?? now) + ms, isKnown: known !== undefined, ms }] as const;
      });
      return { calls: asked.size, fresh, timers: new Map(pending), said };
    },
  };
}

const told = (tool: string, args: string): string =>
  `${tool} with ${args.length > shownChars ? `${args.slice(0, shownChars)}…` : args}`;
const shownChars = 200;

const diverged = (difference: string): SeatFault => ({
  code: "replay_diverged",
  message: `the program was repeated from its record and did not do the same again: ${difference}`,
  hint: "nothing was executed; the calls of the record stand as they are",
});
