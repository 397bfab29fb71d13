import { accessSync, appendFileSync, constants, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, messageOf } from "../errors.ts";
import { type RecordEntry, toJsonl } from "../index.ts";
import type { Config } from "./config.ts";
import type { Notes } from "./terminal.ts";

/** Throws `invalid_config` where the file that the configuration names cannot be appended to; makes nothing. */
export function checkRecord({ record }: Config): void {
  if (record === undefined) return;
  const fault = faultOf(record);
  if (fault === undefined) return;
  throw new Fault("invalid_config", `record: ${record} ${fault}`, {
    hint: "name a regular file, or one that can be made",
  });
}

/** Appends to the file that the configuration names, if it names one; says so where that fails. */
export function keepRecord({ record }: Config, entries: readonly RecordEntry[], notes: Notes): void {
  if (record === undefined || entries.length === 0) return;
  try {
    const folder = dirname(record);
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
    appendFileSync(record, toJsonl(entries));
  } catch (error) {
    notes.warn(`the record could not be written to ${record}: ${messageOf(error)}`);
  }
}

function faultOf(record: string): string | undefined {
  try {
    const stats = statSync(record, { throwIfNoEntry: false });
    if (stats === undefined) return folderFault(dirname(record));
    // A pipe or a device can block for ever, or lose what it is given.
    if (!stats.isFile() && realpathSync(record) !== "/dev/null") return "is no regular file";
    accessSync(record, constants.W_OK);
    return undefined;
  } catch (error) {
    return `cannot be appended to: ${messageOf(error)}`;
  }
}

/** What keeps a folder from being made or written in, told of the nearest one that there is. */
function folderFault(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return folderFault(dirname(folder));
  if (!stats.isDirectory()) return `cannot be made: ${folder} is no folder`;
  accessSync(folder, constants.W_OK | constants.X_OK);
  return undefined;
}
