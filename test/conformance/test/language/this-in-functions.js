/*---
description: A function called without a receiver has none.
---*/

function plain() {
  return this;
}
const method = { plain, arrow: () => typeof globalThis };
assert.sameValue(plain(), undefined);
assert.sameValue(method.plain(), method);
assert.sameValue(method.arrow(), "object");
assert.sameValue(plain.call(1), 1);
assert.sameValue((0, method.plain)(), undefined);
