// What a host says on its output, one JSON text a line.
import type { RunResult } from "codecall";

/** How a run ended. */
export interface Ended {
  readonly runId: string;
  readonly status: string;
  /** The value, or the code and message of the error. */
  readonly what: string;
}

export type Word =
  | { readonly kind: "up" }
  | ({ readonly kind: "ended" } & Ended)
  | { readonly kind: "wrong"; readonly what: string }
  | { readonly kind: "drained" };

export const say = (word: Word): void => console.log(JSON.stringify(word));

export function endOf(run: RunResult): Ended {
  const { runId, status } = run;
  if (run.status === "completed") return { runId, status, what: JSON.stringify(run.value) };
  if (run.status === "suspended") return { runId, status, what: "" };
  return { runId, status, what: `${run.error.code}: ${run.error.message}` };
}
