import { Fault } from "../errors.ts";
import { checkOptions, describe } from "../options.ts";

/** What one turn may use up, by programs and by the model itself alike; what is not given is not bounded. */
export interface BudgetOptions {
  readonly calls?: number;
  /** Of the results of its calls. */
  readonly resultBytes?: number;
  /** Of arguments and results, estimated as a quarter of their characters. */
  readonly tokens?: number;
  /** The part of any of them, over 0 and up to 1, at which the model is told once; 0.8 unless given. */
  readonly warnAt?: number;
}

export const budgetLow = "budget low, finish with what you have";

export interface Budget {
  /** What is used up, if anything is; else the call is counted. */
  spendCall(): string | undefined;
  spend(argumentChars: number, resultBytes: number, resultChars: number): void;
  /** True once, when the budget has become low. */
  takeWarning(): boolean;
}

const units = { calls: "calls", resultBytes: "bytes of results", tokens: "tokens" } as const;
const names = Object.keys(units) as (keyof typeof units)[];

/** Throws `invalid_options` for what is no budget. */
export function checkBudget(given: unknown): void {
  checkOptions("the budget", given, {
    calls: "anything",
    resultBytes: "anything",
    tokens: "anything",
    warnAt: "anything",
  });
  const { warnAt, ...amounts } = (given ?? {}) as BudgetOptions;
  for (const [name, value] of Object.entries(amounts)) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw new Fault("invalid_options", `${name} of the budget must be an integer from 0, got ${describe(value)}`);
  }
  if (warnAt !== undefined && !(typeof warnAt === "number" && warnAt > 0 && warnAt <= 1))
    throw new Fault("invalid_options", `warnAt of the budget must be over 0 and at most 1, got ${describe(warnAt)}`);
}

export function createBudget(given: BudgetOptions = {}): Budget {
  const { warnAt = 0.8 } = given;
  const spent = { calls: 0, resultBytes: 0, tokens: 0 };
  let isTold = false;
  return {
    spendCall() {
      const over = names.find((name) => given[name] !== undefined && spent[name] >= given[name]);
      if (over !== undefined) return `${given[over]} ${units[over]}`;
      spent.calls += 1;
      return undefined;
    },
    spend(argumentChars, resultBytes, resultChars) {
      spent.resultBytes += resultBytes;
      spent.tokens += Math.ceil(argumentChars / 4) + Math.ceil(resultChars / 4);
    },
    takeWarning() {
      if (isTold) return false;
      isTold = names.some((name) => given[name] !== undefined && spent[name] >= given[name] * warnAt);
      return isTold;
    },
  };
}
