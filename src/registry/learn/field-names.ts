const longest = 40;
const mostDigits = 3;

/**
 * Whether a key is surely the name of a field, as `created_at`, `@type` and `ipv4` are, and no data, as ids, addresses,
 * dates, paths and names of people are. What is in doubt is data: a name that is taken for data costs some types, data
 * that is taken for a name would be written down.
 */
export function isFieldName(key: string): boolean {
  if (key.length > longest || !/^[$@_]*\p{L}[\p{L}\p{M}\d_$:-]*$/u.test(key)) return false;
  if ((key.match(/\d/g)?.length ?? 0) > mostDigits) return false;
  return key.split(/[_$:-]/).every((word) => !/^\d{2,}$/.test(word) && changesBetween(word) <= 2);
}

/** How often letters and digits take turns in a word: once in `sha256`, often in what a machine made up. */
const changesBetween = (word: string): number => word.match(/\p{L}(?=\d)|\d(?=\p{L})/gu)?.length ?? 0;
