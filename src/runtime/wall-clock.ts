import { bounds } from "../limits.ts";

export interface WallClock {
  readonly expired: Promise<void>;
  clear(): void;
}

/** Expires once `ms` have passed, those waited for people not counted. */
export function wallClock(ms: number, humanMs: () => number): WallClock {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let waited = 0;
  const expired = new Promise<void>((resolve) => {
    const look = (): void => {
      const human = humanMs();
      const left = ms - (performance.now() - began - human);
      // While a person is waited for, what is left stays the same: it need not be looked at all the time.
      const pause = human > waited ? Math.max(left, 50) : left;
      waited = human;
      if (left <= 0) resolve();
      else timer = setTimeout(look, Math.min(Math.ceil(pause), bounds.longestTimerMs));
    };
    timer = setTimeout(look, Math.min(ms, bounds.longestTimerMs));
  });
  return { expired, clear: () => clearTimeout(timer) };
}
