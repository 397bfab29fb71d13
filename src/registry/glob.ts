/** Whether it stands for more than its own text. */
export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

/**
 * Whether a name matches a pattern, as a whole and with case, in which `*` is any run of characters and `?` is one. Only
 * the last `*` is ever tried again, so the time is the product of the lengths at most.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === "*") {
      star = next++;
      resume = at;
    } else if (wanted === "?") {
      at += widthAt(name, at);
      next++;
    } else if (wanted === name[at]) {
      at++;
      next++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[next] === "*") next++;
  return next === pattern.length;
}

/** Code units of the character there. */
const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
