/** Replaces `remove` characters at offset `at` of the model's text. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** How the text that is compiled comes from the part `from`..`to` of the model's text; `edits` are in order and do not overlap. */
export interface Plan {
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly edits: readonly Edit[];
}

/** A run of characters taken over unchanged: its offset in the assembled text, in the model's text, and its length. */
export interface Piece {
  readonly out: number;
  readonly source: number;
  readonly length: number;
}

export interface Assembled {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

export function assemble(source: string, plan: Plan): Assembled {
  const pieces: Piece[] = [];
  let text = plan.prefix;
  let at = plan.from;
  const keep = (to: number): void => {
    if (to <= at) return;
    pieces.push({ out: text.length, source: at, length: to - at });
    text += source.slice(at, to);
  };
  for (const edit of plan.edits) {
    keep(edit.at);
    text += edit.insert;
    at = edit.at + edit.remove;
  }
  keep(plan.to);
  return { text: text + plan.suffix, pieces };
}

/** The offset in the model's text of an offset in the assembled one; what was inserted counts as what follows it. */
export function originOf(assembled: Assembled, plan: Plan, offset: number): number | undefined {
  if (offset < plan.prefix.length) return undefined;
  const { pieces } = assembled;
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle] as Piece;
    if (piece.out + piece.length <= offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low];
  if (piece !== undefined) return piece.source + Math.max(0, offset - piece.out);
  const last = pieces.at(-1);
  return last !== undefined && offset === last.out + last.length ? last.source + last.length : undefined;
}

/** As many spaces, line ends kept, so that what follows stays in its place; the `;` ends the statement before. */
export function blank(text: string): string {
  return `;${text.slice(1).replace(/[^\n\r\u2028\u2029]/g, " ")}`;
}
