// Markdown fences by the rules of CommonMark: a line of three or more backticks or tildes, indented by at most three
// spaces, opens; a line of the same character, at least as long and with nothing else on it, closes; what never closes
// runs to the end of the text. The indentation of an indented fence stays in its lines, where it is harmless.

export interface Block {
  /** First word of the info string, in lower case. */
  readonly label: string;
  /** Offset of the opening line. */
  readonly at: number;
  /** The content lies at `from`..`to`. */
  readonly from: number;
  readonly to: number;
  /** Whether another line follows that could close this fence as well, and where the content would end then. */
  readonly furthest: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const programLabels = new Set(["ts", "typescript", "js", "javascript", "tsx", "jsx", "mts", "mjs"]);
const opener = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`{,]*)(.*)$/;

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r|$/g)) {
    if (match.index < start) continue;
    lines.push({ start, end: match.index + match[0].length, text: text.slice(start, match.index) });
    start = match.index + match[0].length;
  }
  return lines;
}

function open(line: string): { readonly fence: string; readonly label: string } | undefined {
  const match = opener.exec(line);
  const [, fence, label, rest] = match ?? [];
  if (fence === undefined || (fence.startsWith("`") && rest?.includes("`"))) return undefined;
  return { fence, label: (label ?? "").toLowerCase() };
}

function closes(line: string, fence: string): boolean {
  const bare = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return bare !== undefined && bare.length >= fence.length && bare[0] === fence[0];
}

/** Whether the first line that is not blank opens a fence. */
export function startsFenced(text: string): boolean {
  const line = splitLines(text).find((candidate) => candidate.text.trim() !== "");
  return line !== undefined && open(line.text.replace(/^\uFEFF/, "")) !== undefined;
}

export function findBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = splitLines(text);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    const opened = open(index === 0 ? line.text.replace(/^\uFEFF/, "") : line.text);
    if (opened === undefined) continue;
    let close = index + 1;
    while (close < lines.length && !closes(lines[close]?.text ?? "", opened.fence)) close += 1;
    const last = lines.findLastIndex((candidate, place) => place >= close && closes(candidate.text, opened.fence));
    const to = lines[close]?.start ?? text.length;
    blocks.push({ label: opened.label, at: line.start, from: line.end, to, furthest: lines[last]?.start ?? to });
    index = close;
  }
  return blocks;
}

/** The block that is the program: the last one labelled as TypeScript or JavaScript, else the last without a label, else the last. */
export function chooseBlock(text: string, blocks: readonly Block[]): Block | undefined {
  const filled = blocks.filter((block) => text.slice(block.from, block.to).trim() !== "");
  return (
    filled.findLast((block) => programLabels.has(block.label)) ??
    filled.findLast((block) => block.label === "") ??
    filled.at(-1)
  );
}
