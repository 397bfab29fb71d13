const summary = "Runs a TypeScript program that calls tools and returns one value.";

/** What a program may call and how it is written. */
export function programText(guidance: string, declarations: string): string {
  return `${guidance}\n\n\`\`\`ts\n${declarations.trimEnd()}\n\`\`\``;
}

/** The code tool's description around a `programText`, or without one where that stands in the prompt. */
export function codeToolDescription(text: string | undefined): string {
  return text === undefined
    ? `${summary} How to write it, and what it may call, is in the instructions.`
    : `${summary}\n\n${text}`;
}
