import { codeFrameColumns } from "@babel/code-frame";
import { lineSpans, type Position } from "./positions.ts";

const around = 2;
const lineChars = 160;

/** The lines around a place with a caret below it; of a long line only the part around the caret. */
export function codeFrame(source: string, place: Position): string {
  const first = Math.max(1, place.line - around);
  const cut = place.column > lineChars - 40 ? place.column - 80 : 0;
  const shown = lineSpans(source, first, place.line + around).map(({ from, to }) => {
    const part = source.slice(Math.min(from + cut, to), Math.min(from + cut + lineChars, to));
    return `${cut > 0 && to > from ? "…" : ""}${part}${to - from > cut + lineChars ? "…" : ""}`;
  });
  // The end of the last line is no line of the model's.
  while (shown.length > place.line - first + 1 && shown.at(-1) === "") shown.pop();
  const column = cut > 0 ? place.column - cut + 1 : place.column;
  return codeFrameColumns(
    shown.join("\n"),
    // Here columns count from 0.
    { start: { line: place.line, column: column - 1 } },
    { startLine: first, linesAbove: around, linesBelow: around },
  );
}
