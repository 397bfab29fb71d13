import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../errors.ts";
import { type RecordEntry, toJsonl } from "../index.ts";
import type { Config } from "./config.ts";
import type { Notes } from "./terminal.ts";

/** Appends to the file that the configuration names, if it names one; says so where that fails. */
export function keepRecord({ record }: Config, entries: readonly RecordEntry[], notes: Notes): void {
  if (record === undefined || entries.length === 0) return;
  try {
    mkdirSync(dirname(record), { recursive: true });
    appendFileSync(record, toJsonl(entries));
  } catch (error) {
    notes.warn(`the record could not be written to ${record}: ${messageOf(error)}`);
  }
}
