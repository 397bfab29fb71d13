export interface Limit {
  readonly signal: AbortSignal;
  /** The time, and what to fail with when it is up. */
  readonly time?: { readonly ms: number; readonly late: () => Error };
}

/** What a promise gives, unless the signal or the time comes first; while there is a time, the process is held. */
export async function within<T>(promise: Promise<T>, { signal, time }: Limit): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(reasonOf(signal));
  const timer = time === undefined ? undefined : setTimeout(() => reject(time.late()), time.ms);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Why it was aborted; whoever aborts may give nothing at all as the reason. */
const reasonOf = ({ reason }: AbortSignal): unknown =>
  reason ?? new DOMException("This operation was aborted", "AbortError");
