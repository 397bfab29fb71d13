/*---
description: Memory that agents share, and operations on it that nothing divides.
features: [SharedArrayBuffer, Atomics]
---*/

const shared = new Int32Array(new SharedArrayBuffer(4));
assert.sameValue(Atomics.add(shared, 0, 2), 0);
assert.sameValue(Atomics.load(shared, 0), 2);
