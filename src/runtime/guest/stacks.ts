// Stacks that a program can read hold frames of the program only: errors made here are cut off below the public function
// that throws them, and a call site is captured unformatted and formatted only when somebody asks.
import * as $ from "../../primordials.ts";

type AnyFunction = ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown);
type ErrorType = new (message: string) => Error;

const captureStackTrace = $.getProperty(Error, "captureStackTrace") as (error: object, below: AnyFunction) => void;

/** Frames kept of a call site: the public function itself and two of the program. */
const siteFrames = 3;

/** Keeps a program from turning the limit into an accessor. */
export function lockStackLimit(): void {
  $.defineProperty(Error, "stackTraceLimit", { value: 10, writable: true, enumerable: true, configurable: false });
}

/** Runs `make` so that errors made in it have at most `frames` frames. */
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

/** The stack of an error as the engine writes it, whatever the program made of `Error.prepareStackTrace`; at most `maxChars`. */
export function stackText(error: object, maxChars: number): string {
  const saved = $.getOwnPropertyDescriptor($.NativeError, "prepareStackTrace");
  if (saved !== undefined) $.define($.NativeError, "prepareStackTrace", undefined);
  const text: unknown = $.getProperty(error, "stack");
  if (saved !== undefined) {
    $.setPrototypeOf(saved, null);
    $.defineProperty($.NativeError, "prepareStackTrace", saved);
  }
  return typeof text === "string" ? $.slice(text, 0, maxChars) : "";
}

/** The program's frames of a captured site, one a line, each line indented as in a stack. */
export function siteText(site: Error, maxChars: number): string {
  const text = stackText(site, maxChars);
  // The first two frames are `captureSite` and the public function that called it.
  let at = $.indexOf(text, "\n    at ");
  for (let drop = 0; drop < 2 && at >= 0; drop += 1) at = $.indexOf(text, "\n    at ", at + 1);
  return at < 0 ? "" : $.slice(text, at + 1);
}
