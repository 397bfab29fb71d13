// A look at the nesting of brackets before any parser sees the text. Strings, templates and comments are skipped;
// regular expressions are not told apart from division, so the count may be off by the few brackets in them,
// which matters only far above what a program needs.

/** The offset at which brackets nest deeper than `limit`, if they do; linear in the text. */
export function tooDeepAt(text: string, limit: number): number | undefined {
  let depth = 0;
  // One entry for each template whose `${` is open: the bracket depth at which its `}` closes it.
  const templates: number[] = [];
  let at = 0;
  const skipTemplate = (): void => {
    while (at < text.length) {
      const character = text[at];
      if (character === "\\") at += 2;
      else if (character === "`") {
        at += 1;
        return;
      } else if (character === "$" && text[at + 1] === "{") {
        at += 2;
        templates.push(depth);
        depth += 1;
        return;
      } else at += 1;
    }
  };
  while (at < text.length) {
    const character = text[at] as string;
    at += 1;
    if (character === "(" || character === "[" || character === "{") {
      depth += 1;
    } else if (character === ")" || character === "]" || character === "}") {
      if (depth > 0) depth -= 1;
      if (character === "}" && templates.at(-1) === depth) {
        templates.pop();
        skipTemplate();
      }
    } else if (character === "`") {
      skipTemplate();
    } else if (character === '"' || character === "'") {
      while (at < text.length && text[at] !== character && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
      at += 1;
    } else if (character === "/" && text[at] === "/") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (character === "/" && text[at] === "*") {
      const end = text.indexOf("*/", at + 1);
      at = end < 0 ? text.length : end + 2;
    }
    if (depth > limit) return at - 1;
  }
  return undefined;
}
