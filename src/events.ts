export interface Events<T> extends AsyncIterable<T> {
  /** Whether anybody listens: events nobody listens to need not be made. */
  readonly heard: boolean;
  emit(event: T): void;
  /** Ends every iteration once it has been given all events so far. */
  close(): void;
}

interface Listener<T> {
  readonly waiting: T[];
  wake: (() => void) | undefined;
}

/** Events as async iterators: each sees all that is emitted from the moment its iteration starts. */
export function createEvents<T>(): Events<T> {
  const listeners = new Set<Listener<T>>();
  let closed = false;

  return {
    get heard() {
      return listeners.size > 0;
    },
    emit(event) {
      for (const listener of listeners) {
        listener.waiting.push(event);
        listener.wake?.();
      }
    },
    close() {
      closed = true;
      for (const listener of listeners) listener.wake?.();
    },
    [Symbol.asyncIterator]() {
      const listener: Listener<T> = { waiting: [], wake: undefined };
      listeners.add(listener);
      const leave = (): IteratorReturnResult<undefined> => {
        listeners.delete(listener);
        listener.wake?.();
        return { done: true, value: undefined };
      };
      let read = 0;
      return {
        async next(): Promise<IteratorResult<T, undefined>> {
          for (;;) {
            if (read < listener.waiting.length) {
              const value = listener.waiting[read] as T;
              read += 1;
              if (read === listener.waiting.length) {
                listener.waiting.length = 0;
                read = 0;
              }
              return { done: false, value };
            }
            if (closed || !listeners.has(listener)) return leave();
            await new Promise<void>((resolve) => {
              listener.wake = resolve;
            });
            listener.wake = undefined;
          }
        },
        return: () => Promise.resolve(leave()),
      };
    },
  };
}
