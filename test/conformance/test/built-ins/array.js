/*---
description: Methods of arrays, old and new.
---*/

const list = [5, 1, 4];
assert.compareArray(list.toSorted((a, b) => a - b), [1, 4, 5]);
assert.compareArray(list.with(0, 9), [9, 1, 4]);
assert.compareArray(list, [5, 1, 4]);
assert.sameValue(list.at(-1), 4);
assert.sameValue(list.findLast((n) => n < 5), 4);
assert.compareArray([1, [2, [3]]].flat(Infinity), [1, 2, 3]);
assert.compareArray([3, 20, 100].sort(), [100, 20, 3]);
assert.sameValue([, 1].includes(undefined), true);
assert.sameValue([, 1].indexOf(undefined), -1);
const pairs = Array.from({ length: 600 }, (_, n) => ({ n, key: n % 2 }));
pairs.sort((a, b) => a.key - b.key);
assert.sameValue(pairs[299].n, 598, "the sort is stable:");
