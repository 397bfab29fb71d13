import * as $ from "../../primordials.ts";
import { DOMException } from "./dom-exception.ts";
import { Event, EventTarget } from "./events.ts";
import { faultBelow } from "./stacks.ts";

const maker = Symbol("maker");

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  onabort: ((event: Event) => unknown) | null = null;

  constructor(token?: unknown) {
    super();
    if (token !== maker)
      throw faultBelow(
        new.target,
        $.NativeTypeError,
        "make a signal with new AbortController() or AbortSignal.timeout(ms)",
      );
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(maker);
    abort(signal, reason);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const all = [...signals];
    const combined = new AbortSignal(maker);
    const aborted = all.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      abort(combined, aborted.reason);
      return combined;
    }
    for (const signal of all) signal.addEventListener("abort", () => abort(combined, signal.reason), { once: true });
    return combined;
  }

  static end(signal: AbortSignal, reason: unknown): void {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    const event = new Event("abort");
    if (typeof signal.onabort === "function") signal.addEventListener("abort", signal.onabort, { once: true });
    signal.dispatchEvent(event);
  }
}

const { end: abort } = AbortSignal;
$.deleteProperty(AbortSignal, "end");

export class AbortController {
  readonly signal: AbortSignal = new AbortSignal(maker);

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}

/** `AbortSignal.timeout` over the timers of the program. */
export function installSignalTimeout(setTimer: (run: () => void, ms: unknown) => void): void {
  $.define(AbortSignal, "timeout", (ms: unknown): AbortSignal => {
    const signal = new AbortSignal(maker);
    setTimer(() => abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
    return signal;
  });
}
