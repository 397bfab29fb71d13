import { codeFrame } from "./code-frame.ts";
import type { CompileAnswer, Script } from "./compiler-protocol.ts";
import { type Locate, locator } from "./locate.ts";

/** A program ready to run: `js` is one expression, an async function without parameters. */
export interface Compiled {
  readonly ok: true;
  readonly js: string;
  /** From a place in `js` to the model's text, all numbers from 1. */
  readonly locate: Locate;
  /** The text as the model gave it. */
  readonly source: string;
  readonly script: Script;
}

export interface CompileFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
  readonly column?: number;
  readonly frame?: string;
}

export type CompileResult = Compiled | { readonly ok: false; readonly failure: CompileFailure };

export function failed(failure: CompileFailure): CompileResult {
  return Object.freeze({ ok: false, failure: Object.freeze(failure) });
}

export function compiledOf(source: string, script: Script): Compiled {
  return Object.freeze({ ok: true, js: script.js, locate: locator(source, script), source, script });
}

/** Makes a compiler's answer about `source` into what the runtime works with. */
export function resultOf(source: string, answer: CompileAnswer): CompileResult {
  if (answer.ok) return compiledOf(source, answer.script);
  const { code, message, hint, line, column } = answer.rejection;
  const place = line === undefined || column === undefined ? undefined : { line, column };
  return failed({
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { ...place, frame: codeFrame(source, place) }),
  });
}
