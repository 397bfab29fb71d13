import { bounds } from "../limits.ts";

/** Goes through many items, but never holds the thread for long: the rest follows in later macrotasks. `each` answers whether to go on; `done` is called after the last. */
export function inSlices<T>(items: readonly T[], each: (item: T) => boolean, done: () => void): void {
  let at = 0;
  function slice(): void {
    const until = performance.now() + bounds.sliceMs;
    while (at < items.length) {
      const item = items[at] as T;
      at += 1;
      if (!each(item)) return;
      if (at < items.length && performance.now() >= until) {
        setImmediate(slice);
        return;
      }
    }
    done();
  }
  slice();
}
