/*---
description: Programs are strict: no write to what is fixed, no undeclared name.
flags: [onlyStrict]
---*/

assert.throws(TypeError, () => {
  Object.freeze([1]).push(2);
});
assert.throws(ReferenceError, () => {
  undeclared = 1;
});
assert.throws(TypeError, () => {
  undefined = 1;
});
assert.throws(TypeError, () => delete Object.prototype);
