/*---
description: Reflect reports where Object throws.
features: [Reflect]
---*/

const frozen = Object.freeze({ a: 1 });
assert.sameValue(Reflect.set(frozen, "a", 2), false);
assert.sameValue(Reflect.defineProperty(frozen, "b", { value: 1 }), false);
assert.sameValue(Reflect.apply(Math.max, undefined, [1, 3]), 3);
const receiver = {};
assert.sameValue(Reflect.set({ set a(value) { this.seen = value; } }, "a", 5, receiver), true);
assert.sameValue(receiver.seen, 5);
