// All systems in turn, round by round, each in a host process of its own: noise falls on all alike, and what hangs or dies
// is told and started anew.
import type { Outcome, Reply, Request } from "./host.ts";
import { type Host, startHost } from "./link.ts";
import { checks, hostile } from "./programs.ts";
import { type Figure, rows } from "./rows.ts";
import { type SystemName, systemNames } from "./system.ts";

/** Of one system: its samples in order, or why there are none. */
export type Samples = readonly number[] | string;

export interface RowResult extends Figure {
  readonly row: string;
  readonly samples: Readonly<Partial<Record<SystemName, Samples>>>;
}

export interface OutcomeResult {
  readonly program: string;
  readonly outcomes: Readonly<Partial<Record<SystemName, Outcome | string>>>;
}

export interface Results {
  readonly rows: readonly RowResult[];
  readonly hostile: readonly OutcomeResult[];
  readonly checks: readonly OutcomeResult[];
}

/** Time that a program has in the rows, and under attack; and what the coordinator waits for an answer of each. */
const calm = { timeoutMs: 30_000, deadlineMs: 120_000 } as const;
const attack = { timeoutMs: 1_000, deadlineMs: 15_000 } as const;

const coldRounds = 5;

/** Each round begins with another system. */
const turned = (round: number): readonly SystemName[] =>
  systemNames.map((_, index) => systemNames[(index + round) % systemNames.length] as SystemName);

async function measureCold(): Promise<RowResult> {
  const samples: Partial<Record<SystemName, number[] | string>> = {};
  for (let round = 0; round < coldRounds; round++) {
    for (const name of turned(round)) {
      const start = performance.now();
      const host = startHost(name, 0, calm.timeoutMs);
      const answer = await host.ask({ kind: "first" }, calm.deadlineMs);
      const ms = performance.now() - start;
      await host.stop();
      const failure = typeof answer === "string" ? answer : "failed" in answer ? answer.failed : undefined;
      const before = samples[name];
      if (failure !== undefined) samples[name] = failure;
      else if (typeof before !== "string") samples[name] = [...(before ?? []), ms];
    }
  }
  return { row: "cold", title: "new host process to its first value", unit: "ms", samples };
}

/** Hosts by system and tools; one that failed is stopped, and the next that asks gets another. */
function createHosts(timeoutMs: number) {
  const hosts = new Map<string, Host>();
  return {
    async ask(name: SystemName, others: number, request: Request, deadlineMs: number) {
      const key = `${name} ${others}`;
      const host = hosts.get(key) ?? startHost(name, others, timeoutMs);
      hosts.set(key, host);
      const answer = await host.ask(request, deadlineMs);
      if (typeof answer === "string") {
        hosts.delete(key);
        await host.stop();
      }
      return answer;
    },
    async stop() {
      await Promise.all([...hosts.values()].map((host) => host.stop()));
      hosts.clear();
    },
  };
}

async function measureRow(id: string, hosts: ReturnType<typeof createHosts>): Promise<RowResult[]> {
  const row = rows[id];
  if (row === undefined) return [];
  const kept = row.figures.map((): Partial<Record<SystemName, number[] | string>> => ({}));
  const failed = new Set<SystemName>();
  // Round 0 warms up; a row of one round has none.
  for (let round = row.rounds === 1 ? 1 : 0; round <= row.rounds; round++) {
    for (const name of turned(round)) {
      if (failed.has(name)) continue;
      const answer = await hosts.ask(name, row.others, { kind: "row", row: id, round }, calm.deadlineMs);
      const failure = typeof answer === "string" ? answer : "failed" in answer ? answer.failed : undefined;
      if (failure !== undefined) failed.add(name);
      for (const [index, samples] of kept.entries()) {
        if (failure !== undefined) samples[name] = failure;
        else if (round > 0 && typeof answer === "object" && "samples" in answer) {
          samples[name] = [...((samples[name] as number[] | undefined) ?? []), ...(answer.samples[index] ?? [])];
        }
      }
    }
  }
  return row.figures.map((figure, index) => ({ row: id, ...figure, samples: kept[index] ?? {} }));
}

/** Each in a new host, as some leave theirs broken. */
async function tryAll(kind: "hostile" | "check", names: readonly string[]): Promise<OutcomeResult[]> {
  const results: OutcomeResult[] = [];
  for (const program of names) {
    const outcomes: Partial<Record<SystemName, Outcome | string>> = {};
    for (const name of systemNames) {
      const host = startHost(name, 0, attack.timeoutMs);
      const answer = await askReady(host, { kind, name: program });
      await host.stop();
      if (typeof answer === "string") outcomes[name] = answer;
      else if ("failed" in answer) outcomes[name] = answer.failed;
      else if ("outcome" in answer) outcomes[name] = answer.outcome;
    }
    results.push({ program, outcomes });
  }
  return results;
}

/** The deadline is that of the program, not of the start. */
async function askReady(host: Host, request: Request): Promise<Reply | string> {
  const first = await host.ask({ kind: "first" }, calm.deadlineMs);
  return typeof first === "string" || "failed" in first ? first : host.ask(request, attack.deadlineMs);
}

/** The parts that can be asked for by name. */
export const parts: readonly string[] = ["cold", ...Object.keys(rows), "hostile", "checks"];

export async function measure(only: ReadonlySet<string>, tell: (part: string) => void): Promise<Results> {
  const results: RowResult[] = [];
  const hosts = createHosts(calm.timeoutMs);
  if (only.has("cold")) {
    tell("cold");
    results.push(await measureCold());
  }
  for (const id of Object.keys(rows).filter((name) => only.has(name))) {
    tell(id);
    results.push(...(await measureRow(id, hosts)));
  }
  await hosts.stop();
  if (only.has("hostile")) tell("hostile");
  const attacked = only.has("hostile") ? await tryAll("hostile", Object.keys(hostile)) : [];
  if (only.has("checks")) tell("checks");
  const checked = only.has("checks") ? await tryAll("check", Object.keys(checks)) : [];
  return { rows: results, hostile: attacked, checks: checked };
}
