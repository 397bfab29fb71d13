// Stacks that a program can read hold frames of the program only: errors made here are cut off below the public function
// that throws them, and a call site is captured unformatted and formatted only when somebody asks.
import * as $ from "../../primordials.ts";

type AnyFunction = ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown);
type ErrorType = new (message: string) => Error;

const captureStackTrace = $.getProperty(Error, "captureStackTrace") as (error: object, below: AnyFunction) => void;

/** Frames kept of a call site: the public function itself and two of the program. */
const siteFrames = 3;

const formatter = "prepareStackTrace";

/** Keeps a program from turning the limit into an accessor, and stacks readable where it freezes `Error`. */
export function prepareStacks(): void {
  $.defineProperty(Error, "stackTraceLimit", { value: 10, writable: true, enumerable: true, configurable: false });
  $.define(Error, formatter, undefined);
}

/** Runs `make`, which must not throw, so that errors made in it have at most `frames` frames. */
export function withFrames<T>(frames: number, make: () => T): T {
  const saved: unknown = $.getProperty($.NativeError, "stackTraceLimit");
  $.setProperty($.NativeError, "stackTraceLimit", frames);
  const made = make();
  $.setProperty($.NativeError, "stackTraceLimit", saved);
  return made;
}

/** Cuts the stack of an error off below a function: that function and what it called are not in it. */
export function cutStack<E extends Error>(error: E, below: AnyFunction): E {
  captureStackTrace(error, below);
  return error;
}

/** An error whose stack begins at the caller of `below`. */
export function faultBelow(below: AnyFunction, Type: ErrorType, message: string): Error {
  return cutStack(new Type(message), below);
}

/** Where a public function was called; must be called from that function itself, which `siteText` leaves out. */
export function captureSite(): Error {
  const saved: unknown = $.getProperty($.NativeError, "stackTraceLimit");
  $.setProperty($.NativeError, "stackTraceLimit", siteFrames + 1);
  const site = new $.NativeError();
  $.setProperty($.NativeError, "stackTraceLimit", saved);
  return site;
}

/** Puts nothing in place of the program's formatter, own or inherited; `false` where the program keeps that from being done. */
function shadowFormatter(own: PropertyDescriptor | undefined): boolean {
  const nothing =
    own === undefined
      ? { __proto__: null, value: undefined, configurable: true }
      : { __proto__: null, value: undefined };
  return $.defineProperty($.NativeError, formatter, nothing);
}

/**
 * The stack of an error as the engine writes it, at most `maxChars`; empty where it cannot be read, or where the program has
 * fixed a formatter of its own, which is never run. Runs no code of the program unless the error itself has some.
 */
export function stackText(error: object, maxChars: number): string {
  const own = $.getOwnPropertyDescriptor($.NativeError, formatter);
  if (!shadowFormatter(own)) return "";
  try {
    const text: unknown = $.getProperty(error, "stack");
    return typeof text === "string" ? $.slice(text, 0, maxChars) : "";
  } catch {
    return "";
  } finally {
    if (own === undefined) $.deleteProperty($.NativeError, formatter);
    else $.defineProperty($.NativeError, formatter, $.setPrototypeOf(own, null));
  }
}

/** The program's frames of a captured site, one a line, each line indented as in a stack; runs no code of the program. */
export function siteText(site: Error, maxChars: number): string {
  // The engine reads both when it writes the stack: not from a prototype, which may run the program's code.
  $.define(site, "name", "Error");
  $.define(site, "message", "");
  const text = stackText(site, maxChars);
  // The first two frames are `captureSite` and the public function that called it.
  let at = $.indexOf(text, "\n    at ");
  for (let drop = 0; drop < 2 && at >= 0; drop += 1) at = $.indexOf(text, "\n    at ", at + 1);
  return at < 0 ? "" : $.slice(text, at + 1);
}
