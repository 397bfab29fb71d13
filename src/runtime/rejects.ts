import { bounds } from "../limits.ts";

/** Why a text does not become a program; `offset` lies in the model's text. */
export interface Rejection {
  readonly ok: false;
  readonly code: "program_empty" | "not_a_program" | "syntax_error" | "import_not_available";
  readonly message: string;
  readonly hint?: string;
  readonly offset?: number;
  /** The text itself did not parse, so it may be something else than a program. */
  readonly unparsed?: true;
}

const advice =
  "Write TypeScript that calls the tools, for example: const result = await tools.<name>({ ... }); return result;";
const awaitHint = "Make the function around this await async.";
const hints: Readonly<Record<string, string>> = {
  AwaitNotInAsyncContext: awaitHint,
  UnsupportedParameterDecorator: "Decorators are not supported; write it without.",
};

export const moved = (rejection: Rejection, by: number): Rejection =>
  rejection.offset === undefined ? rejection : { ...rejection, offset: rejection.offset + by };

export const empty = (message: string): Rejection => ({ ok: false, code: "program_empty", message, hint: advice });

export const notAProgram = (what: string): Rejection => ({
  ok: false,
  code: "not_a_program",
  message: `the text is ${what}, not a TypeScript program`,
  hint: advice,
});

export const uncalled = (names: readonly string[]): Rejection => ({
  ok: false,
  code: "not_a_program",
  message: `the program declares ${names.join(", ")} and calls nothing`,
  hint: `End it with the call, for example: return await ${names[0]}(...);`,
});

const syntax = (message: string, hint: string, offset: number): Rejection => ({
  ok: false,
  code: "syntax_error",
  message,
  hint,
  offset,
});

export const tooDeep = (offset: number): Rejection =>
  syntax(
    `the program is nested too deeply: more than ${bounds.depth} levels`,
    "Split it into functions, variables or smaller expressions.",
    offset,
  );

export const decorator = (offset: number): Rejection =>
  syntax(
    "decorators are not supported in a program",
    "Write it without: call the function that the decorator names, or put its work into the class.",
    offset,
  );

export const jsx = (offset: number): Rejection => ({
  ...syntax(
    "JSX is not available in a program",
    "Build the text with strings or template literals, or return plain data.",
    offset,
  ),
  unparsed: true,
});

export const fenceInside = (offset: number): Rejection =>
  syntax("a Markdown fence stands inside the program", "Give the program alone, or in one fence.", offset);

/** What the parser says; `reason` is its code for it. */
export function unparsed(message: string, reason: string, offset: number): Rejection {
  const hint = message === "Unexpected reserved word 'await'." ? awaitHint : hints[reason];
  return { ok: false, code: "syntax_error", message, ...(hint === undefined ? {} : { hint }), offset, unparsed: true };
}

export const notImportable = (what: string, offset: number): Rejection => ({
  ok: false,
  code: "import_not_available",
  message: `${what} is not available: a program has no modules`,
  hint:
    "Remove it. Files, network and other services are reached through the tools, as await tools.<name>({ ... }); " +
    "tools and the standard globals (URL, TextEncoder, crypto, structuredClone, Intl, timers) are there without import; " +
    "types can be imported with import type.",
  offset,
});
