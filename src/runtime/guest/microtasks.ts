import * as $ from "../../primordials.ts";

type Job = () => unknown;

export interface Microtasks {
  /** Runs guest code from a microtask of its own, so that no frame of the bootstrap lies under it; at most one handler is told. */
  run(job: Job, onError: (reason: unknown) => void, onValue?: (value: unknown) => void): void;
}

/** A promise whose reactions look nothing up on the program's `Promise`. */
function sealed(promise: object): object {
  $.define(promise, "constructor", undefined);
  return promise;
}

export function createMicrotasks(): Microtasks {
  const ready = sealed($.NativePromise.resolve());
  lockPromise();
  return {
    run(job, onError, onValue) {
      const done = sealed($.promiseThen(ready, job));
      $.promiseThen(done, onValue, onError);
    },
  };
}

/** What a job returns is adopted through these three properties: a program must not be able to stand in between. */
function lockPromise(): void {
  const { prototype } = Promise;
  $.define(prototype, "then", prototype.then, false, false);
  $.define(prototype, "constructor", Promise, false, false);
  $.defineProperty(Promise, Symbol.species, { configurable: false });
}
