/*---
description: Numbers as text, and rounding.
---*/

assert.sameValue((0.1 + 0.2).toString(), "0.30000000000000004");
assert.sameValue((1e21).toString(), "1e+21");
assert.sameValue((255).toString(16), "ff");
assert.sameValue(Number(" 0x10 "), 16);
assert.sameValue(Number("1_0"), NaN);
assert.sameValue(Math.round(-0.5), -0);
assert.sameValue((1.005).toFixed(2), "1.00");
assert.sameValue(Math.hypot(3, 4), 5);
assert.sameValue(BigInt.asUintN(8, -1n), 255n);
