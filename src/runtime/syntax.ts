import { type ParserOptions, parse, parseExpression } from "@babel/parser";
import type { Expression, Node, Program, Statement } from "@babel/types";
import { lineSpans } from "./positions.ts";

export type { Expression, Node, Program, Statement };

/** What one parse found: the tree, or why there is none, with the offset where the parser stopped. */
export type Parsed<T> =
  | { readonly ok: true; readonly tree: T }
  | {
      readonly ok: false;
      readonly deep: boolean;
      readonly message: string;
      readonly reason: string;
      readonly offset: number;
    };

const options: ParserOptions = {
  sourceType: "module",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowUndeclaredExports: true,
  createParenthesizedExpressions: true,
  attachComment: false,
  plugins: ["typescript", "decorators", "decoratorAutoAccessors"],
};

function attempt<T>(text: string, run: () => T): Parsed<T> {
  try {
    return { ok: true, tree: run() };
  } catch (thrown) {
    if (thrown instanceof RangeError) {
      return { ok: false, deep: true, message: "", reason: "", offset: 0 };
    }
    // On some texts, such as `namespace const`, the parser itself breaks.
    if (!(thrown instanceof SyntaxError)) {
      return { ok: false, deep: false, message: "the text does not parse", reason: "", offset: 0 };
    }
    const { pos, loc, reasonCode } = thrown as SyntaxError & Partial<Record<"pos" | "loc" | "reasonCode", unknown>>;
    return {
      ok: false,
      deep: false,
      message: thrown.message.replace(/ \(\d+:\d+\)$/, ""),
      reason: typeof reasonCode === "string" ? reasonCode : "",
      offset: Number.isInteger(pos) ? Number(pos) : offsetOf(text, loc),
    };
  }
}

/** The parser loses count of the offset after some words, but not of line and column. */
function offsetOf(text: string, loc: unknown): number {
  const { line, column } = (typeof loc === "object" && loc !== null ? loc : {}) as Readonly<Record<string, unknown>>;
  if (typeof line !== "number" || typeof column !== "number") return 0;
  const [span] = lineSpans(text, line, line);
  return span === undefined ? 0 : Math.min(span.from + column, text.length);
}

/** Parses a whole program: a module in which `await` and `return` may stand at the top. */
export function parseProgram(text: string): Parsed<Program> {
  return attempt(text, () => parse(text, options).program);
}

/** Parses a text that is one expression and nothing else. */
export function parseOnlyExpression(text: string): Parsed<Expression> {
  return attempt(text, () => parseExpression(text, options));
}

/** Parses a program that may hold JSX, to tell JSX from other faults. */
export function parseWithJsx(text: string): Parsed<Program> {
  return attempt(text, () => parse(text, { ...options, plugins: ["typescript", "jsx"] }).program);
}
