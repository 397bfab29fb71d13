// What crosses between the host and the type checker: one JSON line each way for each request, and a first line
// `{"ready":true}` from the process. The host says which surfaces the process keeps.
import { isObject } from "../../is-object.ts";
import type { Finding } from "./findings.ts";

/** What programs of one surface are checked against. */
export interface Declared {
  /** TypeScript that declares `tools`. */
  readonly text: string;
  /** The sets of names, each sorted and as JSON, of arguments that admit no others, by the tool. */
  readonly closedArguments: Readonly<Record<string, readonly string[]>>;
  /** The same of results, of all tools. */
  readonly closedResults: readonly string[];
}

export interface CheckRequest {
  readonly id: number;
  readonly source: string;
  readonly surface: string;
  /** Given where the process does not have the surface yet. */
  readonly declared?: Declared;
  /** A surface that will not be asked for again. */
  readonly forget?: string;
}

export interface CheckAnswer {
  readonly id: number;
  readonly findings: readonly Finding[];
}

const isId = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value);

const isFinding = (value: unknown): value is Finding =>
  isObject(value) && typeof value.kind === "string" && isId(value.line) && isId(value.column);

/** Reads a line of the type checker; `undefined` where it is none of the known shapes. */
export function readTypecheckLine(line: string): CheckAnswer | "ready" | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (value.ready === true) return "ready";
  const { id, findings } = value;
  return isId(id) && Array.isArray(findings) && findings.every(isFinding) ? { id, findings } : undefined;
}

/** Reads a line of the host. */
export function readCheckRequest(line: string): CheckRequest {
  // The host writes what the type says.
  return JSON.parse(line) as CheckRequest;
}
