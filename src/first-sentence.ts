const end = /^.*?(?:[.!?。](?=\s|$)|\n\s*\n|$)/s;

/** The first sentence of a text, up to its stop or the end of its paragraph. */
export function firstSentence(text: string): string {
  return end.exec(text.trim())?.[0].trim() ?? "";
}
