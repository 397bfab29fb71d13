export interface Events<T> extends AsyncIterable<T> {
  /** Whether anybody listens: events nobody listens to need not be made. */
  readonly heard: boolean;
  emit(event: T): void;
  /** Ends every iteration once it has been given all events so far. */
  close(): void;
}

interface Listener<T> {
  readonly waiting: T[];
  /** Of those who wait for the next event. */
  wakers: (() => void)[];
}

function wake(listener: { wakers: (() => void)[] }): void {
  const { wakers } = listener;
  listener.wakers = [];
  for (const one of wakers) one();
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
        wake(listener);
      }
    },
    close() {
      closed = true;
      for (const listener of listeners) wake(listener);
    },
    [Symbol.asyncIterator]() {
      const listener: Listener<T> = { waiting: [], wakers: [] };
      listeners.add(listener);
      const leave = (): IteratorReturnResult<undefined> => {
        listeners.delete(listener);
        wake(listener);
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
              listener.wakers.push(resolve);
            });
          }
        },
        return: () => Promise.resolve(leave()),
      };
    },
  };
}
