// The arguments of a call are frozen before anything sees them, in portions where they are large.
import { laterTurn, spendSteps, stepsLeft } from "../turns.ts";

/** Values that are looked at between two looks at what the turn still has, and the steps that each takes. */
const valuesAtOnce = 1_000;
const stepsOfValue = 4;

/** Freezes plain objects and arrays all the way down, at once where they are small; what a schema made otherwise stays as it is. */
export function deepFreeze(value: unknown): Promise<void> | undefined {
  const open: object[] = [];
  add(open, value);
  return freezeSome(open) ? undefined : freezeRest(open);
}

async function freezeRest(open: object[]): Promise<void> {
  do await laterTurn();
  while (!freezeSome(open));
}

/** True once all is frozen. */
function freezeSome(open: object[]): boolean {
  while (open.length > 0 && stepsLeft() > 0) {
    let seen = 0;
    while (seen < valuesAtOnce && open.length > 0) seen += freezeNext(open);
    spendSteps(seen * stepsOfValue);
  }
  return open.length === 0;
}

/** How many values were looked at. */
function freezeNext(open: object[]): number {
  const next = open.pop();
  if (next === undefined || Object.isFrozen(next)) return 1;
  const isList = Array.isArray(next);
  const keys = isList ? next : Object.keys(next);
  for (let at = 0; at < keys.length; at += 1) {
    // Of a large object each value by its name is quicker than all values.
    const key = isList ? at : (keys[at] as string);
    add(open, (next as Readonly<Record<string | number, unknown>>)[key]);
  }
  Object.freeze(next);
  return 1 + keys.length;
}

function add(open: object[], value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) open.push(value);
}
