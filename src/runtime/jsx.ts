import { parseWithJsx } from "./syntax.ts";
import { walk } from "./walk.ts";

/** The offset of the first element, if the text parses once JSX is allowed. */
export function findJsx(text: string): number | undefined {
  const parsed = parseWithJsx(text);
  if (!parsed.ok) return undefined;
  let first: number | undefined;
  walk(parsed.tree, (node) => {
    if (node.type === "JSXElement" || node.type === "JSXFragment") first = Math.min(first ?? Infinity, node.start ?? 0);
  });
  return first;
}
