// What the store holds at the end, held against the ledger and against what the hosts said.
import type { Store } from "codecall";
import { readRun } from "../../src/bridge/entry-text.ts";
import type { JournalEntry } from "../../src/bridge/journal.ts";
import type { Ended } from "./words.ts";
import { judge, type Judgement, readEffects, type RecordedWrite } from "./world.ts";

export interface Verdict extends Judgement {
  readonly runs: number;
  /** Runs that have not ended, calls without an outcome, and ends that were told otherwise than they are recorded. */
  readonly wrong: readonly string[];
}

const tenant = "torture";

export async function verdictOf(store: Store, ledger: string, ended: readonly Ended[]): Promise<Verdict> {
  const wrong: string[] = [];
  const writes: RecordedWrite[] = [];
  const ends = new Map<string, { readonly status: string; readonly what: string }>();
  let before: { readonly at: number; readonly runId: string } | undefined;
  for (;;) {
    const page = await store.list({ tenant, limit: 500, before });
    for (const { runId, status } of page) {
      const { entries } = await readRun(await store.load(tenant, runId));
      const calls = callsOf(entries);
      for (const { tool, args, effect } of calls) {
        if (tool === "look" || tool === "relay") continue;
        const { run, n } = JSON.parse(args) as { run: string; n: number };
        writes.push({ run, n, effect: effect ?? "unsettled" });
      }
      const end = entries.findLast((entry) => entry.kind === "end");
      if (end === undefined || status !== end.status) wrong.push(`${runId} is ${status} and ended as ${end?.status}`);
      else ends.set(runId, { status, what: whatOf(end) });
      const open = calls.filter(({ effect }) => effect === undefined);
      if (open.length > 0) wrong.push(`${runId} has ${open.length} calls without an outcome`);
      if (entries.filter(({ kind }) => kind === "end").length > 1) wrong.push(`${runId} ended twice`);
    }
    before = page.at(-1);
    if (page.length < 500) break;
  }
  for (const { runId, status, what } of ended) {
    const end = ends.get(runId);
    if (end?.status !== status || end.what !== what)
      wrong.push(`${runId} was told as ${status} ${what} and is recorded as ${end?.status} ${end?.what}`);
  }
  const told = new Set(ended.map(({ runId }) => runId));
  const untold = [...ends.keys()].filter((runId) => !told.has(runId));
  if (untold.length > 0) wrong.push(`${untold.length} runs were not told again`);
  return { runs: ends.size, ...judge(writes, readEffects(ledger)), wrong };
}

interface CallSeen {
  readonly tool: string;
  readonly args: string;
  effect?: string;
}

function callsOf(entries: readonly JournalEntry[]): readonly CallSeen[] {
  const calls: CallSeen[] = [];
  for (const entry of entries) {
    const call = "call" in entry ? calls[entry.call - 1] : undefined;
    if (entry.kind === "ask") calls[entry.call - 1] = { tool: entry.tool, args: entry.args };
    else if (entry.kind === "out" && call !== undefined) call.effect ??= entry.effect;
  }
  return calls;
}

function whatOf({ status, json = "null" }: JournalEntry & { kind: "end" }): string {
  const said = JSON.parse(json) as { code?: string; message?: string };
  return status === "completed" ? JSON.stringify(said) : `${said.code}: ${said.message}`;
}
