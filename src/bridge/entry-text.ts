// Entries and headers as texts of a store. The one long text of an entry, which is JSON already, stands after the rest as it is:
// written as a string inside JSON it would be longer, and take the host's thread longer.
import { Fault } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { parseJson } from "../json.ts";
import { bounds } from "../limits.ts";
import { laterTurn } from "../turns.ts";
import type { JournalEntry, ReadRun, RunHeader } from "./journal.ts";
import { isSealed, keyWrong } from "./stores/encrypted.ts";
import type { StoredRun } from "./stores/store.ts";

/** Where the long text of an entry is. */
const longFields: Readonly<Partial<Record<JournalEntry["kind"], string>>> = {
  ask: "args",
  intent: "ran",
  out: "json",
  late: "json",
  end: "json",
};

export function writeEntry(entry: JournalEntry): string {
  const field = longFields[entry.kind];
  if (field === undefined) return JSON.stringify(entry);
  const { [field]: text, ...rest } = entry as unknown as Record<string, unknown>;
  return typeof text === "string" ? `${JSON.stringify(rest)}\n${text}` : JSON.stringify(entry);
}

export function readEntry(written: string): JournalEntry {
  // JSON has no line break but in what stands after it.
  const end = written.indexOf("\n");
  const entry = parseJson(end < 0 ? written : written.slice(0, end)) as unknown as JournalEntry;
  const field = longFields[entry.kind];
  return end < 0 || field === undefined ? entry : { ...entry, [field]: written.slice(end + 1) };
}

/** Reads a run, a portion at a time; rejects with `store_key_wrong` or `store_corrupt`. */
export async function readRun({ tenant, runId, header, entries }: StoredRun): Promise<ReadRun> {
  const place = `run "${runId}" of tenant "${tenant}"`;
  if (isSealed(header)) throw keyWrong(place, "was written with a key");
  try {
    const read: JournalEntry[] = [];
    let until = performance.now() + bounds.sliceMs;
    for (const entry of entries) {
      read.push(readEntry(entry));
      if (performance.now() < until) continue;
      await laterTurn();
      until = performance.now() + bounds.sliceMs;
    }
    const known: unknown = parseJson(header);
    if (!isObject(known)) throw new TypeError("the header is no object");
    return { header: known as unknown as RunHeader, entries: read };
  } catch (cause) {
    throw new Fault("store_corrupt", `${place} is none that a journal wrote`, {
      hint: "use a store for the runs of codecall alone",
      details: { tenant, runId },
      cause,
    });
  }
}
