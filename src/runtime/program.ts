// Which stretch of the model's text is the program. A text whose first line opens a Markdown fence is fenced; else a text
// that parses is a program; else the fences in it are looked at, unless the first stands in a template or a comment. A
// fenced program that does not parse is tried again up to the last line that could close its fence, as a comment may hold
// a fence of its own. Text patterns only word the message of a text that does not parse.
import { type Block, chooseBlock, findBlocks, startsFenced } from "./fences.ts";
import { type Prepared, preparePart } from "./part.ts";
import { recognise, rejectLabel } from "./recognise.ts";
import { empty, fenceInside, type Rejection } from "./rejects.ts";

export type { Prepared };

function prepareBlock(source: string, block: Block): Prepared | Rejection {
  const labelled = rejectLabel(block.label);
  if (labelled !== undefined) return labelled;
  const short = preparePart({ source, from: block.from, to: block.to });
  if (short?.ok === true) return short;
  if (block.furthest > block.to) {
    const long = preparePart({ source, from: block.from, to: block.furthest });
    if (long?.ok === true) return long;
  }
  const text = source.slice(block.from, block.to);
  const seems = short?.unparsed === true ? recognise(text, (short.offset ?? 0) - block.from) : undefined;
  return seems ?? short ?? fenceInside(block.from);
}

const insideCode = (before: string): boolean =>
  (before.match(/`/g) ?? []).length % 2 === 1 || before.lastIndexOf("/*") > before.lastIndexOf("*/");

/** Prepares any text; pure, and as total as the parser's own bounds: a caller still limits its time. */
export function prepare(source: string): Prepared | Rejection {
  if (source.replace(/^\uFEFF/, "").trim() === "") {
    return empty("no program text was given");
  }
  const fenced = startsFenced(source);
  const whole = fenced
    ? undefined
    : preparePart({ source, from: source.startsWith("\uFEFF") ? 1 : 0, to: source.length });
  if (whole !== undefined && (whole.ok || whole.unparsed !== true)) return whole;
  const blocks = findBlocks(source);
  const [first] = blocks;
  if (first !== undefined && (fenced || !insideCode(source.slice(0, first.at)))) {
    const block = chooseBlock(source, blocks);
    if (block !== undefined) return prepareBlock(source, block);
    if (fenced) return empty("the Markdown fence holds no program text");
  }
  return recognise(source, whole?.offset ?? 0) ?? whole ?? fenceInside(first?.at ?? 0);
}
