import { Fault } from "../errors.ts";
import { exits, noteLogger, type Notes } from "./terminal.ts";

/** What ends a command from outside, or keeps it from ending unseen. */
export interface Interruption {
  /** Aborted by SIGINT, SIGTERM, or an exception that nothing catches. */
  readonly signal: AbortSignal;
  /** The exit code of what aborted the signal, if something did. */
  code(): number | undefined;
  /** From now on exceptions that nothing catches are told, and end nothing. */
  carryOn(): void;
  exit(code: number): never;
}

/** Watches over the process for the rest of its life: the first signal aborts, a second one ends us at once. */
export function watchProcess(notes: Notes): Interruption {
  const controller = new AbortController();
  const logger = noteLogger(notes, false);
  let code: number | undefined;
  let isDecided = false;
  let goesOn = false;
  const exit = (given: number): never => {
    isDecided = true;
    process.exit(given);
  };
  const stop = (given: number, message: string): void => {
    if (code !== undefined) return;
    code = given;
    controller.abort(new Fault("aborted", message, { details: { exit: given } }));
  };
  const listen = (signal: NodeJS.Signals): void => {
    if (code !== undefined) exit(code);
    stop(signal === "SIGINT" ? exits.interrupted : exits.terminated, `interrupted by ${signal}`);
  };
  process.on("SIGINT", listen);
  process.on("SIGTERM", listen);
  process.on("unhandledRejection", (cause) => logger.error("a promise that nothing awaits was rejected", { cause }));
  process.on("uncaughtException", (cause) => {
    logger.error("an exception was thrown that nothing catches", { cause });
    if (!goesOn) stop(exits.failed, "an exception that nothing catches ended the command");
  });
  process.on("exit", () => {
    if (isDecided) return;
    process.exitCode = exits.failed;
    notes.fail("the process ended before the command did; a configured module must not call process.exit");
  });
  return {
    signal: controller.signal,
    code: () => code,
    carryOn() {
      goesOn = true;
    },
    exit,
  };
}
