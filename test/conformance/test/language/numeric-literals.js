/*---
description: Numbers in every notation.
---*/

assert.sameValue(1_000_000, 1e6);
assert.sameValue(0b1010 + 0o17 + 0xff, 280);
assert.sameValue(-0 === 0 && Object.is(-0, 0), false);
assert.sameValue(2n ** 64n, 18_446_744_073_709_551_616n);
assert.sameValue(typeof 1n, "bigint");
assert.sameValue((-2) ** 2, 4);
assert.throws(TypeError, () => 1n + 1);
