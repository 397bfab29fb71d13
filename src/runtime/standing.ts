import type { Recorded } from "../bridge/recorded.ts";
import { settlementOf } from "./drive.ts";
import type { Settlement } from "./protocol.ts";
import type { KnownCall, Standing } from "./rebuild.ts";

/** Where a program stands by its journal, in the terms of its guest. */
export function standingOf(recorded: Recorded): Standing {
  const { bySeq, turns, timers, course } = recorded;
  const told = new Set<number>();
  const settlement = (seq: number): Settlement => {
    told.add(seq);
    const call = bySeq.get(seq);
    return call?.ended === undefined
      ? { seq, kind: "fire", json: "" }
      : settlementOf(seq, call.ended.outcome, call.tool);
  };
  const deliveries = turns.map(({ now, seqs }) => ({ now, settlements: seqs.map(settlement) }));
  const untold = [...bySeq.values()]
    .flatMap(({ seq, ended, tool }) =>
      seq === undefined || ended === undefined || told.has(seq) ? [] : [{ seq, ended, tool }],
    )
    .sort((a, b) => a.ended.place - b.ended.place)
    .map(({ seq, ended, tool }) => settlementOf(seq, ended.outcome, tool));
  const calls = new Map<number, KnownCall>();
  for (const [seq, { tool, args }] of bySeq) calls.set(seq, { tool, args });
  const open = [...bySeq.values()].flatMap(({ seq, ended }) => (seq === undefined || ended !== undefined ? [] : [seq]));
  return { deliveries, calls, untold, open, timers, ...(course === undefined ? {} : { course }) };
}
