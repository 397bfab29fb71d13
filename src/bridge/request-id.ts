import { hash } from "node:crypto";
import type { Call } from "./call.ts";
import type { RunHeader } from "./journal.ts";

const digits = 32;

/**
 * The key under which the effect of a call is known outside. It depends on the run, or the
 * planned action that it executes, the place of the call in it, the tool by
 * its own name, and the arguments: another attempt, or another process that goes on with the run, comes to the same.
 */
export function requestIdOf(
  { runId, action }: Pick<RunHeader, "runId" | "action">,
  { position, offered, asked }: Call,
): string {
  const identity = [action ?? runId, position, offered?.tool.source, offered?.tool.originalName, asked.args];
  return hash("sha256", JSON.stringify(identity)).slice(0, digits);
}

/** Where a call stands: by the program's own number, by its place among the calls of the tool that made it, else by its number in the run. */
export const positionOf = (
  number: number,
  seq: number | undefined,
  parent: { readonly position: string; readonly place: number } | undefined,
): string =>
  parent === undefined ? (seq === undefined ? `n${number}` : `s${seq}`) : `${parent.position}.${parent.place}`;
