// The SQLite store: what a durable write costs, how many share a commit, and what reading back and waiting costs.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sqliteStore, type Store } from "codecall";
import { type Case, time } from "../row.ts";

const tenant = "bench";
const entry = JSON.stringify({ kind: "intent", call: 1, attempt: 1, ran: "x".repeat(130), at: 1_700_000_000_000 });
const claim = { owner: "bench", ttlMs: 600_000, now: Date.now() };

const child = join(import.meta.dirname, "../waiting.ts");

interface Bench {
  readonly path: string;
  readonly store: Store;
  /** A run that is claimed, with so many entries. */
  begin(entries?: number): Promise<string>;
  close(): Promise<void>;
}

function openBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), "codecall-bench-"));
  const path = join(folder, "runs.db");
  const store = sqliteStore({ path });
  let count = 0;
  return {
    path,
    store,
    async begin(entries = 0) {
      count += 1;
      const runId = `run_${count}`;
      const content = { entries: Array<string>(entries).fill(entry), at: claim.now };
      await store.create({ tenant, runId, session: "s", at: claim.now, header: "{}" }, claim, content);
      return runId;
    },
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** So many writes of two entries one after the other; ms each. */
async function write(store: Store, runId: string, from: number, count: number): Promise<number[]> {
  const each: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const content = { epoch: 1, from: from + 2 * n, entries: [entry, entry], at: claim.now };
    each.push(await time(() => store.append(tenant, runId, content)));
  }
  return each;
}

export async function durable(): Promise<Case> {
  const bench = openBench();
  const { store } = bench;
  const one = await bench.begin();
  let next = 1;
  const many = await Promise.all(Array.from({ length: 50 }, () => bench.begin()));
  let together = 1;
  const long = await bench.begin(4_000);
  return {
    name: "store",
    rounds: 5,
    rows: [
      {
        name: "a durable write, alone",
        unit: "ms",
        async sample() {
          const each = await write(store, one, next, 200);
          next += 400;
          return each;
        },
      },
      {
        name: "durable writes of 50 runs at once",
        unit: "1/s",
        async sample() {
          const ms = await time(() => Promise.all(many.map((runId) => write(store, runId, together, 20))));
          together += 40;
          return (50 * 20 * 1_000) / ms;
        },
      },
      {
        name: "a run of 1,000 calls read back",
        unit: "ms",
        sample: () => time(() => store.load(tenant, long)),
      },
    ],
    close: () => bench.close(),
  };
}

/** Runs that wait for people hold no process and no memory: they are rows. */
export async function waiting(): Promise<Case> {
  const bench = openBench();
  const { store } = bench;
  const suspended = {
    entries: [entry, entry],
    at: claim.now,
    status: "suspended",
    expiresAt: claim.now + 1e9,
  } as const;
  await Promise.all(
    Array.from({ length: 10_000 }, async (_, n) => {
      const runId = `waiting_${n}`;
      const { epoch } = await store.create({ tenant, runId, session: "s", at: n, header: "{}" }, claim, suspended);
      await store.release(tenant, runId, epoch);
    }),
  );
  const list = async (limit: number): Promise<void> => {
    const found = await store.list({ tenant, status: "suspended", limit });
    if (found.length !== limit) throw new Error(`${found.length} suspended runs instead of ${limit}`);
  };
  return {
    name: "waiting",
    rounds: 5,
    rows: [
      { name: "100 of 10,000 suspended runs listed", unit: "ms", sample: () => time(() => list(100)) },
      { name: "10,000 suspended runs listed", unit: "ms", sample: () => time(() => list(10_000)) },
      {
        name: "memory of a process that opens and lists 10,000",
        unit: "MB",
        sample: async () => Number((await promisify(execFile)(process.execPath, [child, bench.path, "10000"])).stdout),
      },
    ],
    close: () => bench.close(),
  };
}
