import { codeFrameColumns } from "@babel/code-frame";
import type { Position } from "./positions.ts";

const around = 2;
const lineChars = 160;

/** The lines around a place with a caret below it; of a long line only the part around the caret. */
export function codeFrame(source: string, place: Position): string {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/);
  const first = Math.max(1, place.line - around);
  const shown = lines.slice(first - 1, place.line + around);
  const cut = place.column > lineChars - 40 ? place.column - 80 : 0;
  const clip = (line: string): string => {
    const part = line.slice(cut, cut + lineChars);
    return `${cut > 0 && line !== "" ? "…" : ""}${part}${line.length > cut + lineChars ? "…" : ""}`;
  };
  const column = cut > 0 ? place.column - cut + 1 : place.column;
  return codeFrameColumns(
    shown.map(clip).join("\n"),
    // Here columns count from 0.
    { start: { line: place.line, column: column - 1 } },
    { startLine: first, linesAbove: around, linesBelow: around },
  );
}
