/*---
description: Iterators have lazy methods.
features: [iterator-helpers]
---*/

let pulled = 0;
function* numbers() {
  for (let n = 1; ; n++) {
    pulled += 1;
    yield n;
  }
}
const found = numbers()
  .filter((n) => n % 2 === 0)
  .map((n) => n * n)
  .take(3)
  .toArray();
assert.compareArray(found, [4, 16, 36]);
assert.sameValue(pulled, 6);
assert.sameValue(Iterator.from([1, 2]).reduce((a, b) => a + b), 3);
