/** What the opening message is made of, in its order. */
export type PartKind = "identity" | "prefix" | "section" | "tools" | "suffix";

/** Without the blank lines at its ends; within a text nothing is touched. */
export const trimmed = (text: string): string => text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, "");

/** Texts with one blank line between each two; those with nothing in them leave none. */
export const joined = (texts: readonly string[]): string =>
  texts
    .map(trimmed)
    .filter((text) => text !== "")
    .join("\n\n");
