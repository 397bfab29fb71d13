/** A place in a text, both numbers from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where each line starts, by the line ends of JavaScript: LF, CR, CRLF, U+2028, U+2029. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(match.index + match[0].length);
  return starts;
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) return at;
  }
  return text.length;
}

/** Where the lines `first` to `last` of a text begin and end, both from 1, line ends left out; those there are. */
export function lineSpans(text: string, first: number, last: number): { readonly from: number; readonly to: number }[] {
  const spans: { readonly from: number; readonly to: number }[] = [];
  let from = 0;
  for (let line = 1; line <= last; line += 1) {
    const to = lineEnd(text, from);
    if (line >= first) spans.push({ from, to });
    if (to === text.length) break;
    from = to + (text.startsWith("\r\n", to) ? 2 : 1);
  }
  return spans;
}

export function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

export function offsetAt(starts: readonly number[], position: Position): number | undefined {
  const start = starts[position.line - 1];
  return start === undefined || position.column < 1 ? undefined : start + position.column - 1;
}
