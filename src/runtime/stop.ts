// How a host's signal ends a program: by an abort, or because the runtime closes.
import { Fault } from "../errors.ts";

export const stopCode = (signal: AbortSignal): "aborted" | "runtime_closed" =>
  signal.reason instanceof Fault && signal.reason.code === "runtime_closed" ? "runtime_closed" : "aborted";

export const stopReason = (signal: AbortSignal): string =>
  signal.reason instanceof Fault ? signal.reason.message : "the host's signal ended the program";

/** Rejects with a `Fault` as soon as the signal is aborted. */
export function raceStop<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Fault(stopCode(signal), stopReason(signal)));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
