/*---
description: Weak maps and sets hold objects and symbols of one's own.
---*/

const key = {};
const map = new WeakMap([[key, 1]]);
map.set(Symbol(), 2);
assert.sameValue(map.get(key), 1);
assert.throws(TypeError, () => map.set(1, 1));
assert.throws(TypeError, () => map.set(Symbol.for("shared"), 1));
assert.sameValue(new WeakSet([key]).has(key), true);
