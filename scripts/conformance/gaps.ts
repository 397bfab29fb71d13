import type { Assembled } from "./assemble.ts";
import type { FrontMatter } from "./front-matter.ts";

/** A test that fails in a program and passes on the bare engine. */
export interface Failed {
  readonly notes: FrontMatter;
  readonly test: Assembled;
  /** What the program ended in. */
  readonly message: string;
  /** Whether the engine passes it as the body of an async function too. */
  readonly passesAsFunction: boolean;
}

/** Something of the language that programs deliberately do without, or have otherwise. */
export interface Gap {
  readonly what: string;
  readonly why: string;
  /** Whether it is the reason for a failure. */
  explains(failed: Failed): boolean;
}

const removed = /\b(SharedArrayBuffer|Atomics|WeakRef|FinalizationRegistry|WebAssembly|ShadowRealm|Temporal)\b/;
const resizing = /\b(resize|resizable|maxByteLength|transfer|transferToFixedLength)\b/;

/** In the order in which they are asked; docs/language.md lists them. */
export const gaps: readonly Gap[] = [
  {
    what: "A program is the body of an async function: `return` and `await` work at its top, and what it declares is no global",
    why: "models write `return` and `await` at the top; programs share nothing",
    explains: ({ passesAsFunction }) => !passesAsFunction,
  },
  {
    what: "A program is parsed as modules are: `await` is no name anywhere, a function's name is declared once, there are no comments as in HTML",
    why: "the parser reads TypeScript, whose files are modules",
    explains: ({ message, test }) =>
      (message.endsWith("[syntax_error]") && /reserved word 'await'|has already been declared/.test(message)) ||
      /<!--|-->/.test(test.body),
  },
  {
    what: "`export default` and `export` are accepted",
    why: "models write them; the value is taken",
    explains: ({ notes, test }) => notes.negative?.phase === "parse" && /\bexport\b/.test(test.body),
  },
  {
    what: "`using` and `await using` are compiled: a function bound by them has no name from it, and they stand in no head of a `for` loop with three parts",
    why: "the same program runs on every engine",
    explains: ({ notes }) => notes.features.includes("explicit-resource-management"),
  },
  {
    what: "`SharedArrayBuffer`, `Atomics`, `WeakRef`, `FinalizationRegistry`, `WebAssembly`, `ShadowRealm` and `Temporal` are absent",
    why: "shared memory is a clock, weak references show when memory is collected, the others are code or time beyond the limits",
    explains: ({ test, message }) => removed.test(message) || removed.test(test.body),
  },
  {
    what: "Buffers have a fixed length: no `maxByteLength`, `resize`, `transfer`",
    why: "buffers that grow pass the memory limit of an isolate",
    explains: ({ test, message }) => resizing.test(message) || resizing.test(test.body),
  },
  {
    what: "`then` and `constructor` of `Promise.prototype` and `Promise[Symbol.species]` cannot be replaced",
    why: "a program's own end is told through them",
    explains: ({ test, message }) =>
      /read only|redefine|configurable|writable/.test(message) && /Promise/.test(test.body),
  },
];

/** The rows of the table in docs/language.md. */
export const gapRows: readonly string[] = gaps.map(({ what, why }) => `| ${what} | ${why} |`);
