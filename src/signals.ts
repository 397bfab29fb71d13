/** One signal that follows several; `release` lets go of them. */
export function linkSignals(sources: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  release(): void;
} {
  const controller = new AbortController();
  const followed = sources.filter((source) => source !== undefined);
  const onAbort = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  for (const source of followed) {
    if (source.aborted) controller.abort(source.reason);
    else source.addEventListener("abort", onAbort);
  }
  return {
    signal: controller.signal,
    release() {
      for (const source of followed) source.removeEventListener("abort", onAbort);
    },
  };
}
