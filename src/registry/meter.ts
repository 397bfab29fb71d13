/** Counts the steps of one check, so that no value and no schema can make it go on. */
export interface Meter {
  /** Begins anew, with so many steps and so much time. */
  readonly reset: (steps: number, ms: number) => void;
  /** Throws `Overspent` once there are too many, or the time is over. */
  readonly spend: (steps: number, over?: unknown) => void;
  /** Steps left of the last reset; negative where there were too many. */
  readonly left: () => number;
}

/** A check took more steps than one may. */
export class Overspent extends Error {
  override readonly name: string = "Overspent";
}

/** Characters that are looked at in one step, and steps that a property takes. */
const charsAtOnce = 16;
const stepsOfProperty = 2;
/** How often steps are taken until the clock is looked at. */
const timesAtOnce = 64;

export function makeMeter(): Meter {
  let all = 0;
  let left = 0;
  let ms = 0;
  let end = 0;
  let times = 0;
  return {
    reset(steps, most) {
      all = steps;
      left = steps;
      ms = most;
      times = 0;
    },
    spend(count, over) {
      left -= count + lengthOf(over);
      if (left < 0) throw new Overspent(`the check takes more than ${all} steps`);
      times += 1;
      if (times % timesAtOnce !== 0) return;
      const now = performance.now();
      // The first few steps take no time to speak of, nor should looking at the clock.
      if (times === timesAtOnce) end = now + ms;
      else if (now > end) throw new Overspent("the check takes too long");
    },
    left: () => left,
  };
}

/** What going over the parts of a value takes. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length / charsAtOnce;
  if (typeof value !== "object" || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length * stepsOfProperty;
}
