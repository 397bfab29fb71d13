import type { Reference } from "../bridge/references.ts";
import type { JsonValue } from "../json.ts";
import type { Truncation } from "../preview.ts";
import { callableBy } from "../registry/callers.ts";
import type { Surface } from "../registry/surface.ts";
import type { Compiled } from "./compiler.ts";
import type { DriveEnd } from "./drive.ts";
import { describeError } from "./frames.ts";
import type { GuestError } from "./protocol.ts";
import type { PendingApproval, ProgramError } from "./result.ts";

export type Ending =
  | {
      readonly status: "completed";
      readonly value: JsonValue;
      readonly truncated?: Truncation;
      readonly reference?: Reference;
    }
  | { readonly status: "failed" | "cancelled"; readonly error: ProgramError }
  | { readonly status: "suspended"; readonly pending: readonly PendingApproval[] };

const stops = new Set(["aborted", "runtime_closed"]);

/** A program that codecall ended: cancelled where the host wanted it, failed otherwise. */
export function faultEnding({
  code,
  message,
  hint,
}: Pick<ProgramError, "code" | "message"> & { readonly hint?: string | undefined }): Ending {
  const error = { code, message, ...(hint === undefined ? {} : { hint }) };
  return { status: stops.has(code) ? "cancelled" : "failed", error };
}

function causesOf({ name, message, cause }: GuestError): string {
  return `${name}: ${message}${cause === undefined ? "" : `, caused by ${causesOf(cause)}`}`;
}

/** What the end of a program in its sandbox means for its run. */
export function endingOf(end: Exclude<DriveEnd, { kind: "suspended" }>, compiled: Compiled, surface: Surface): Ending {
  if (end.kind === "value") {
    const { value, truncated } = end;
    return { status: "completed", value, ...(truncated === undefined ? {} : { truncated }) };
  }
  if (end.kind === "fault") return faultEnding(end);
  const tools = callableBy(surface, "code").map(({ name, alias }) => alias ?? name);
  const { stack, name, ...described } = describeError(end.error, compiled, { tools });
  const { code, error } = end;
  const details = code === "program_error" && error.details !== undefined ? { details: error.details } : {};
  const cause = error.cause === undefined ? {} : { cause: causesOf(error.cause) };
  // What codecall says of a value is not something that the program threw.
  const named = code === "program_error" || code === "syntax_error" ? { name } : {};
  return { status: "failed", error: { code, ...named, ...described, ...cause, ...details } };
}
