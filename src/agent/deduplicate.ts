// J3: a call that the model emits again in the same turn takes the first one's outcome. The same use, by its id, is the same
// call whatever it does. Another use with the same tool and arguments is so only where it may write, and unless the first
// failed without an effect: trying that again is no repetition.
import { isSuccess, type Outcome } from "../bridge/outcome.ts";

export interface FirstCall {
  readonly callId: string;
  readonly outcome: Promise<Outcome>;
}

export interface UseKeys {
  /** Equal for the same use: its id, tool and arguments. */
  readonly use: string;
  /** Equal for the same tool and arguments; absent where the call only reads. */
  readonly write?: string;
}

/** What a model emitted in one turn. */
export interface Emissions {
  /** The call that this one makes again. */
  first(keys: UseKeys): FirstCall | undefined;
  keep(keys: UseKeys, call: FirstCall): void;
  /** Runs a program, once for each use; `isFirst` is false for what ran before. */
  once<T>(use: string, run: () => Promise<T>): { readonly isFirst: boolean; readonly result: Promise<T> };
}

export function createEmissions(): Emissions {
  const calls = new Map<string, FirstCall>();
  const programs = new Map<string, Promise<unknown>>();
  return {
    first: ({ use, write }) => calls.get(use) ?? (write === undefined ? undefined : calls.get(write)),
    keep({ use, write }, call) {
      calls.set(use, call);
      if (write === undefined) return;
      calls.set(write, call);
      const forget = (): void => void (calls.get(write) === call && calls.delete(write));
      call.outcome.then((outcome) => (isDone(outcome) ? undefined : forget()), forget);
    },
    once<T>(use: string, run: () => Promise<T>) {
      const first = programs.get(use) as Promise<T> | undefined;
      if (first !== undefined) return { isFirst: false, result: first };
      const result = run();
      programs.set(use, result);
      return { isFirst: true, result };
    },
  };
}

/** Whether making the call again might do a second time what it did. */
const isDone = (outcome: Outcome): boolean => isSuccess(outcome) || outcome.effect !== "none";
