export interface Limit {
  readonly signal: AbortSignal;
  readonly ms?: number;
  /** What to fail with when the time is up. */
  readonly late?: () => Error;
}

/** What a promise gives, unless the signal or the time comes first; while there is a time, the process is held. */
export async function within<T>(promise: Promise<T>, { signal, ms, late }: Limit): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  const timer = ms === undefined ? undefined : setTimeout(() => reject(late?.()), ms);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
