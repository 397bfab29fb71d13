/** Counts the steps of one check, so that no value and no schema can make it go on. */
export interface Meter {
  /** Begins anew; a limit of its own is for a check that can be done without. */
  readonly reset: (most?: number) => void;
  /** Throws `Overspent` once there are too many. */
  readonly spend: (steps: number, over?: unknown) => void;
}

/** A check took more steps than one may. */
export class Overspent extends Error {
  override readonly name: string = "Overspent";
}

/** Characters that are looked at in one step. */
const charsAtOnce = 16;

export function makeMeter(steps: number): Meter {
  let left = steps;
  return {
    reset(most = steps) {
      left = Math.min(most, steps);
    },
    spend(count, over) {
      left -= count + lengthOf(over);
      if (left < 0) throw new Overspent(`the check takes more than ${steps} steps`);
    },
  };
}

/** What going over the parts of a value takes. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length / charsAtOnce;
  if (typeof value !== "object" || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
