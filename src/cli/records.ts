import { readRun } from "../bridge/entry-text.ts";
import { recordOf } from "../bridge/record.ts";
import { messageOf } from "../errors.ts";
import { type RecordEntry, type RunSummary, type Store, toJsonl } from "../index.ts";
import { openNamedStore } from "./named-store.ts";
import { escaped, printable } from "./printable.ts";
import type { Stdio } from "./stdio.ts";
import { localTenant, type StoreOptions } from "./store.ts";
import { exits } from "./terminal.ts";

export interface RecordsOptions extends StoreOptions {
  readonly session?: string;
  readonly run?: string;
  readonly tenant?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `codecall records`: runs of a store, newest first, or the calls of one; as lines of JSON, the record of all of them. */
export async function records(options: RecordsOptions, { result, notes }: Stdio): Promise<number> {
  const { tenant = localTenant, session, run, limit, json = false } = options;
  await using opened = await openNamedStore(options);
  const { store } = opened;
  if (run !== undefined) {
    const calls = await recordFrom(store, tenant, run);
    result.write(json ? escaped(toJsonl(calls)) : table(callHead, calls.map(callRow)));
    return exits.completed;
  }
  const runs = await store.list({ tenant, session, limit });
  if (!json) {
    result.write(table(runHead, runs.map(runRow)));
    return exits.completed;
  }
  let code: number = exits.completed;
  // In the order in which they began.
  for (const { runId } of runs.toReversed()) {
    try {
      result.write(escaped(toJsonl(await recordFrom(store, tenant, runId))));
    } catch (error) {
      notes.fail(`the record of ${runId} cannot be read: ${messageOf(error)}`);
      code = exits.failed;
    }
  }
  return code;
}

async function recordFrom(store: Store, tenant: string, runId: string): Promise<readonly RecordEntry[]> {
  const { header, entries } = await readRun(await store.load(tenant, runId));
  return recordOf({ header, entries: () => entries });
}

const runHead = ["RUN", "STATUS", "SESSION", "BEGAN", "ENTRIES"];
const callHead = ["CALL", "TOOL", "STATUS", "EFFECT", "RAN MS", "WHY"];

const runRow = ({ runId, status, session, at, entries, claim }: RunSummary): readonly string[] => {
  const held = claim !== undefined && claim.until > Date.now() ? " (held)" : "";
  return [runId, status + held, session, new Date(at).toISOString(), String(entries)];
};

const callRow = ({ callId, tool, status, effect, ranMs, failure }: RecordEntry): readonly string[] => [
  callId,
  tool,
  status,
  effect,
  ranMs.toFixed(1),
  failure === undefined ? "" : `${failure.code}: ${failure.message}`.slice(0, 120),
];

/** Columns as wide as what is in them, the last one as it is. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = [head, ...rows].map((row) => row.map((cell) => printable(cell).replaceAll(/\s+/g, " ")));
  const widths = head.map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)));
  return clean
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
