/*---
description: A loop that is left closes its iterator.
---*/

let closed = 0;
const endless = {
  [Symbol.iterator]: () => ({
    next: () => ({ value: 1, done: false }),
    return() {
      closed += 1;
      return {};
    },
  }),
};
for (const _ of endless) break;
const [only] = endless;
assert.throws(Error, () => {
  for (const _ of endless) throw new Error("left");
});
assert.compareArray([only, closed], [1, 3]);
