import { ToolError } from "../../errors.ts";
import type { Call } from "../call.ts";

export type Waited<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "late" }
  | { readonly kind: "stopped" };

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

/** Runs foreign code and waits for it, but never longer than `ms` (if given) nor beyond the call being stopped. Answers at once where nothing is to wait for. */
export function waitFor<T>(call: Call, run: () => T | PromiseLike<T>, ms?: number): Waited<T> | Promise<Waited<T>> {
  let result: T | PromiseLike<T>;
  try {
    result = run();
    if (!isPromise(result)) return { kind: "value", value: result };
  } catch (error) {
    return { kind: "threw", error };
  }
  const pending = result;
  if (call.stopped !== undefined) {
    void Promise.resolve(pending).catch(() => undefined);
    return { kind: "stopped" };
  }
  return new Promise((resolve) => {
    let over = false;
    const timer = ms === undefined ? undefined : setTimeout(giveUp, ms);
    function giveUp(): void {
      call.controller().abort(new ToolError("it took too long", { code: "call_timeout" }));
      end({ kind: "late" });
    }
    function end(waited: Waited<T>): void {
      if (over) return;
      over = true;
      clearTimeout(timer);
      delete call.onStop;
      resolve(waited);
    }
    call.onStop = () => end({ kind: "stopped" });
    Promise.resolve(pending).then(
      (value) => end({ kind: "value", value }),
      (error: unknown) => end({ kind: "threw", error }),
    );
  });
}

/** Goes on with what was waited for, without a promise where none was needed. */
export function andThen<T, R>(
  waited: Waited<T> | Promise<Waited<T>>,
  next: (waited: Waited<T>) => R | Promise<R>,
): R | Promise<R> {
  return waited instanceof Promise ? waited.then(next) : next(waited);
}
