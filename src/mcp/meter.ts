export interface MeterRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Takes one from a budget that fills up again as time goes on; the meter answers false where nothing is left. */
export function createMeter({ burst, perSecond }: MeterRate, now: () => number): () => boolean {
  let left = burst;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(burst, left + ((time - at) / 1_000) * perSecond);
    at = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
