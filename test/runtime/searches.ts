export interface Searches {
  /** The longest text that a pattern was tried on. */
  readonly longest: number;
  /** Characters that patterns were tried on, up to where they matched, all tries together. */
  readonly matched: number;
  /** Characters that were looked at one by one or in search of a word. */
  readonly scanned: number;
}

type Method = (...given: unknown[]) => unknown;
type Watch<Self> = (run: () => unknown, self: Self, given: readonly unknown[]) => unknown;

/** Stands in for a method until the returned function is called; `watch` runs it. */
function wrap<Self>(prototype: object, name: string, watch: Watch<Self>): () => void {
  const own = Object.getOwnPropertyDescriptor(prototype, name)?.value as Method;
  Reflect.set(prototype, name, function watched(this: Self, ...given: unknown[]) {
    return watch(() => Reflect.apply(own, this, given), this, given);
  });
  return () => void Reflect.set(prototype, name, own);
}

/** What searching a function does, counted in characters and not in time. */
export function countSearches(run: () => unknown): Searches {
  const count = { longest: 0, matched: 0, scanned: 0 };
  const restore = [
    wrap<RegExp>(RegExp.prototype, "exec", (exec, pattern, [given]) => {
      const text = given as string;
      const from = pattern.global || pattern.sticky ? pattern.lastIndex : 0;
      const match = exec() as RegExpExecArray | null;
      count.longest = Math.max(count.longest, text.length);
      count.matched += (match === null ? text.length : match.index + match[0].length) - from;
      return match;
    }),
    wrap(String.prototype, "charCodeAt", (read) => {
      count.scanned += 1;
      return read();
    }),
    wrap<string>(String.prototype, "indexOf", (search, text, [, from]) => {
      const at = search() as number;
      count.scanned += (at < 0 ? text.length : at) - (typeof from === "number" ? from : 0);
      return at;
    }),
    ...["lastIndexOf", "includes", "split"].map((name) =>
      wrap<string>(String.prototype, name, (search, text) => {
        count.scanned += text.length;
        return search();
      }),
    ),
  ];
  try {
    run();
  } finally {
    for (const put of restore) put();
  }
  return count;
}
