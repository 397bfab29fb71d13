// The host's one thread is shared by all that runs on it. Work that can grow with what a tool or a model sent is done in
// portions: what one turn of the event loop may be held by is counted here, and so is who goes on in the next one.
const stepsOfTurn = 160_000;
let left = stepsOfTurn;
let isCounting = false;
const waiting: (() => void)[] = [];

/** Steps of some 50 ns that this turn of the event loop still has. */
export const stepsLeft = (): number => Math.max(0, left);

/** Whether this turn may take so many steps at once, for work that cannot be cut. */
export const hasSteps = (steps: number): boolean => left + stepsOfTurn >= steps;

/** Takes steps from what this turn has. */
export function spendSteps(steps: number): void {
  left -= steps;
  if (isCounting) return;
  isCounting = true;
  setImmediate(() => {
    isCounting = false;
    left = stepsOfTurn;
  });
}

/** Resolves in a later turn, one caller in each. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}
