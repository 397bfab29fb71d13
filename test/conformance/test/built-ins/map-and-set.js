/*---
description: Maps and sets keep their order, sets have the operations of sets.
features: [set-methods]
---*/

const map = new Map([[NaN, 1], [0, 2]]);
map.set(-0, 3).delete(NaN);
assert.compareArray([...map].flat(), [0, 3]);
const a = new Set([1, 2, 3]);
const b = new Set([3, 4]);
assert.compareArray([...a.union(b)], [1, 2, 3, 4]);
assert.compareArray([...a.intersection(b)], [3]);
assert.compareArray([...a.symmetricDifference(b)], [1, 2, 4]);
const grown = [];
for (const n of a) {
  grown.push(n);
  if (n < 4) a.add(n + 10);
}
assert.compareArray(grown, [1, 2, 3, 11, 12, 13]);
