// Comment text comes from strangers. No text may end its comment, start a compiler directive, close a Markdown fence
// or turn the direction of what follows.

const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The lines of a text, each safe behind `//`; blank lines and common indentation are dropped. */
export function commentLines(text: string): readonly string[] {
  const lines = text
    .toWellFormed()
    .split(lineEnds)
    .map((line) => escape(line.replaceAll("\t", "  ").replace(unprintable, "")).trimEnd())
    .filter((line) => line !== "");
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  const margin = Math.min(...rest.map((line) => line.length - line.trimStart().length));
  return [first.trimStart(), ...rest.map((line) => line.slice(margin))];
}

function escape(line: string): string {
  return line.replaceAll("@ts-", "@ ts-").replace(/`{3,}/g, (run) => "'".repeat(run.length));
}

/** A block comment at an indentation; a text of several lines keeps them. */
export function docComment(lines: readonly string[], indent: string): string {
  return `/** ${unended(lines).join(`\n${indent}`)} */`;
}

/** A comment inside a line. */
export function inlineComment(lines: readonly string[]): string {
  return `/* ${unended(lines.map((line) => line.trim())).join(" ")} */`;
}

function unended(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll("*/", "*\\/"));
}
