// The world outside: a ledger that tools append to, and what it has to say of what the records tell.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** One effect: which program, which of its writes, and whether the tool is one that may be started twice under one request id. */
export interface Effect {
  readonly run: string;
  readonly n: number;
  readonly requestId: string;
  readonly idempotent: boolean;
}

/** One line, written at once: it is there or it is not, whatever happens to the process. */
export const appendEffect = (ledger: string, effect: Effect): void =>
  appendFileSync(ledger, `${JSON.stringify(effect)}\n`);

export function readEffects(ledger: string): readonly Effect[] {
  const text = existsSync(ledger) ? readFileSync(ledger, "utf8") : "";
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Effect]));
}

/** A call of a write as a record has it. */
export interface RecordedWrite {
  readonly run: string;
  readonly n: number;
  readonly effect: string;
}

export interface Judgement {
  /** What a record and the ledger say otherwise. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly unknown: number;
}

/** What is recorded as done has to be in the ledger, once; what is recorded as not done must not be; and no effect is without a record. */
export function judge(writes: readonly RecordedWrite[], effects: readonly Effect[]): Judgement {
  const times = new Map<string, number>();
  const seen = new Set<string>();
  for (const { run, n, requestId, idempotent } of effects) {
    if (idempotent && seen.has(requestId)) continue;
    seen.add(requestId);
    const key = `${run} #${n}`;
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  const recorded = Map.groupBy(writes, ({ run, n }) => `${run} #${n}`);
  const doubled = [...times].filter(([, count]) => count > 1).map(([key, count]) => `${key} happened ${count} times`);
  const lost = [...times.keys()].filter((key) => !recorded.has(key)).map((key) => `${key} is in no record`);
  let unknown = 0;
  for (const [key, same] of recorded) {
    const told = new Set(same.map(({ effect }) => effect));
    const happened = times.has(key);
    if (told.has("unknown")) unknown += 1;
    else if (told.has("done") !== happened) {
      lost.push(`${key} is recorded as ${[...told].join(", ")} and ${happened ? "happened" : "did not happen"}`);
    }
  }
  return { lost, doubled, unknown };
}
