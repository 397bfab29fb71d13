export interface WallClock {
  readonly expired: Promise<void>;
  clear(): void;
}

/** Expires once `ms` have passed, those waited for people not counted. */
export function wallClock(ms: number, humanMs: () => number): WallClock {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => {
    const look = (): void => {
      const left = ms - (performance.now() - began - humanMs());
      if (left <= 0) resolve();
      else timer = setTimeout(look, Math.min(Math.ceil(left), 2_147_483_647));
    };
    timer = setTimeout(look, Math.min(ms, 2_147_483_647));
  });
  return { expired, clear: () => clearTimeout(timer) };
}
