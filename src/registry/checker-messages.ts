import type { SchemaForm, Verdict } from "./verdict.ts";

/** One check, as it goes to the checker. */
export interface CheckRequest {
  readonly schema: number;
  /** At the first use of the schema. */
  readonly form?: SchemaForm;
  /** A schema that is not needed any more. */
  readonly forget?: number;
  /** The value. */
  readonly text: string;
}

export interface CheckAnswer {
  readonly verdict: Verdict;
  /** What was left unchecked, told with the first check after the schema was compiled. */
  readonly notes: readonly string[];
}
