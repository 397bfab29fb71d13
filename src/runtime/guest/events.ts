// Event and EventTarget as far as programs use them: a flat dispatch without a tree.
import * as $ from "../../primordials.ts";

type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown };

interface ListenerOptions {
  readonly once?: boolean;
  readonly signal?: EventTarget & { readonly aborted: boolean };
}

interface Entry {
  readonly listener: Listener;
  readonly once: boolean;
  removed: boolean;
}

export class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  target: EventTarget | null = null;
  currentTarget: EventTarget | null = null;
  #prevented = false;
  #stopped = false;

  constructor(type: unknown, options: { readonly bubbles?: boolean; readonly cancelable?: boolean } = {}) {
    this.type = `${type}`;
    this.bubbles = options.bubbles === true;
    this.cancelable = options.cancelable === true;
  }

  get defaultPrevented(): boolean {
    return this.#prevented;
  }

  preventDefault(): void {
    if (this.cancelable) this.#prevented = true;
  }

  stopPropagation(): void {
    // There is no tree to propagate through.
  }

  stopImmediatePropagation(): void {
    this.#stopped = true;
  }

  static isStopped(event: Event): boolean {
    return event.#stopped;
  }
}

const { isStopped } = Event;
$.deleteProperty(Event, "isStopped");

export class EventTarget {
  readonly #entries = new $.NativeMap<string, Set<Entry>>();

  addEventListener(type: unknown, listener: Listener | null, options?: ListenerOptions | boolean): void {
    if (listener === null || listener === undefined) return;
    const settings = typeof options === "object" ? options : {};
    if (settings.signal?.aborted === true) return;
    const name = `${type}`;
    const entries = $.mapGet(this.#entries, name) ?? new Set<Entry>();
    $.mapSet(this.#entries, name, entries);
    for (const entry of entries) if (entry.listener === listener) return;
    entries.add({ listener, once: settings.once === true, removed: false });
    settings.signal?.addEventListener("abort", () => this.removeEventListener(name, listener), { once: true });
  }

  removeEventListener(type: unknown, listener: Listener | null): void {
    const entries = $.mapGet(this.#entries, `${type}`);
    if (entries === undefined) return;
    for (const entry of entries) {
      if (entry.listener !== listener) continue;
      entry.removed = true;
      entries.delete(entry);
    }
  }

  /** Runs the listeners there are now; what one throws becomes an unhandled rejection and stops no other. */
  dispatchEvent(event: Event): boolean {
    event.target = this;
    event.currentTarget = this;
    const now = $.mapGet(this.#entries, event.type);
    for (const entry of now === undefined ? [] : Array.from(now)) {
      if (entry.removed) continue;
      if (entry.once) this.removeEventListener(event.type, entry.listener);
      try {
        if (typeof entry.listener === "function") $.apply(entry.listener, this, [event]);
        else entry.listener.handleEvent(event);
      } catch (error) {
        void $.NativePromise.reject(error);
      }
      if (isStopped(event)) break;
    }
    event.currentTarget = null;
    return !event.defaultPrevented;
  }
}
