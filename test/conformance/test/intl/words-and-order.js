/*---
description: Plurals, lists, order and segments.
---*/

assert.sameValue(new Intl.PluralRules("pl").select(3), "few");
assert.sameValue(new Intl.ListFormat("en").format(["a", "b", "c"]), "a, b, and c");
assert.compareArray(["z", "ä", "a"].sort(new Intl.Collator("de").compare), ["a", "ä", "z"]);
assert.compareArray(["10", "9"].sort(new Intl.Collator("en", { numeric: true }).compare), ["9", "10"]);
assert.sameValue(new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day"), "yesterday");
const words = [...new Intl.Segmenter("en", { granularity: "word" }).segment("Two words.")];
assert.compareArray(words.filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment), ["Two", "words"]);
