// What crosses between the host and the compiler process: one JSON line each way for each request, and a first line
// `{"ready":true}` from the process.
import type { Edit, Plan } from "./edits.ts";

export interface CompileRequest {
  readonly id: number;
  readonly source: string;
}

/** What is compiled and how its places lead back to the model's text. */
export interface Script {
  readonly js: string;
  readonly plan: Plan;
  /** The source map from `js` to the planned text, where esbuild was needed. */
  readonly map?: string;
  /** Columns by which the first line of `js` is ahead of what `map` says. */
  readonly shift: number;
}

/** A text that does not become a program; `line` and `column`, from 1, are those of the model's text. */
export interface CompileRejection {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
  readonly column?: number;
}

export type CompileAnswer =
  | { readonly id: number; readonly ok: true; readonly script: Script }
  | { readonly id: number; readonly ok: false; readonly rejection: CompileRejection };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isOptional = (value: unknown, type: "string" | "number"): boolean => value === undefined || typeof value === type;

const isEdit = (value: unknown): value is Edit =>
  isObject(value) && isCount(value.at) && isCount(value.remove) && typeof value.insert === "string";

const isPlan = (value: unknown): value is Plan =>
  isObject(value) &&
  isCount(value.from) &&
  isCount(value.to) &&
  typeof value.prefix === "string" &&
  typeof value.suffix === "string" &&
  Array.isArray(value.edits) &&
  value.edits.every(isEdit);

const isScript = (value: unknown): value is Script =>
  isObject(value) &&
  typeof value.js === "string" &&
  isPlan(value.plan) &&
  isOptional(value.map, "string") &&
  isCount(value.shift);

const isRejection = (value: unknown): value is CompileRejection =>
  isObject(value) &&
  typeof value.code === "string" &&
  typeof value.message === "string" &&
  isOptional(value.hint, "string") &&
  isOptional(value.line, "number") &&
  isOptional(value.column, "number");

/** Reads a line of the compiler process; `undefined` where it is none of the known shapes. */
export function readCompilerLine(line: string): CompileAnswer | "ready" | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (value.ready === true) return "ready";
  if (!isCount(value.id)) return undefined;
  if (value.ok === true && isScript(value.script)) return { id: value.id, ok: true, script: value.script };
  if (value.ok === false && isRejection(value.rejection))
    return { id: value.id, ok: false, rejection: value.rejection };
  return undefined;
}

/** Reads a line of the host. */
export function readCompileRequest(line: string): CompileRequest | undefined {
  const value: unknown = JSON.parse(line);
  return isObject(value) && isCount(value.id) && typeof value.source === "string"
    ? { id: value.id, source: value.source }
    : undefined;
}
