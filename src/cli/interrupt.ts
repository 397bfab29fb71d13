import { Fault } from "../errors.ts";
import { exits } from "./terminal.ts";

export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came, if one came. */
  readonly code: () => number | undefined;
}

/** Turns the first SIGINT or SIGTERM into an abort, so that calls settle and processes end; a second one ends us at once. */
export function onInterrupt(): Interruption {
  const controller = new AbortController();
  let code: number | undefined;
  const listen = (signal: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = signal === "SIGINT" ? exits.interrupted : exits.terminated;
    controller.abort(new Fault("aborted", `interrupted by ${signal}`, { details: { exit: code } }));
  };
  process.on("SIGINT", listen);
  process.on("SIGTERM", listen);
  return {
    signal: controller.signal,
    code: () => code,
    [Symbol.dispose]() {
      process.off("SIGINT", listen);
      process.off("SIGTERM", listen);
    },
  };
}
