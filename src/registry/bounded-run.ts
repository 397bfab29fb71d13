import { type Context, createContext, Script } from "node:vm";

interface Slot extends Context {
  run: (() => void) | undefined;
}

let made: { readonly slot: Slot; readonly call: Script } | undefined;

/**
 * Runs something of the host and stops it, wherever it is, even inside a regular expression, when its time is up: then it
 * gives `undefined`. What `run` throws is thrown. It costs some 100 us, so it is for what may not come to an end.
 */
export function runWithin<T>(ms: number, run: () => T): { readonly value: T } | undefined {
  made ??= { slot: createContext({ run: undefined }) as Slot, call: new Script("run()") };
  const { slot, call } = made;
  const outer = slot.run;
  let result: { readonly value: T } | undefined;
  slot.run = () => {
    result = { value: run() };
  };
  try {
    call.runInContext(slot, { timeout: ms });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    slot.run = outer;
  }
  return result;
}

/** The error may be of another realm than this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
