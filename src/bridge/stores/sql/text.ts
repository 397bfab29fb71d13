// Any text in, the same text out: neither database keeps U+0000 or a lone surrogate as it is.
import { hash } from "node:crypto";

/** Begins a text that is kept as its JSON; a text that begins with it itself is kept so too. */
const mark = "\u0001";

export const toStored = (text: string): string =>
  text.startsWith(mark) || text.includes("\0") || !text.isWellFormed() ? mark + JSON.stringify(text) : text;

export const fromStored = (text: string): string =>
  text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as string) : text;

/** 128 bits over a text and its place, as hex: another text, or the same one in another place, has another sum. */
export function sumOf(place: readonly [tenant: string, runId: string, n: number | "header"], stored: string): string {
  return hash("sha256", JSON.stringify(place) + stored).slice(0, 32);
}
