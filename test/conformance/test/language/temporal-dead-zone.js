/*---
description: A name cannot be read before its declaration has run.
---*/

assert.throws(ReferenceError, () => typeof later);
assert.throws(ReferenceError, () => {
  ((x = y, y = 1) => x)();
});
let later = 1;
assert.sameValue(typeof later, "number");
