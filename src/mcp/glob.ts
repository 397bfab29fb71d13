/** Whether a name matches a glob of literal text and `*`; case counts. */
export function matchesGlob(glob: string, name: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return glob === name;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let from = first.length;
  const end = name.length - last.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
