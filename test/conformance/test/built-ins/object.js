/*---
description: Order of keys, attributes and grouping.
includes: [property.js]
---*/

const object = { b: 1, 2: 1, a: 1, 1: 1, [Symbol.iterator]: 1 };
assert.compareArray(Object.keys(object), ["1", "2", "b", "a"]);
assertAttributes(Math, "PI", { writable: false, enumerable: false, configurable: false });
assertAttributes(object, "a", { writable: true, enumerable: true, configurable: true });
assert.compareArray(Object.entries(Object.groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even"))).flat(2), ["odd", 1, 3, "even", 2]);
assert.sameValue(Object.fromEntries([["x", 1]]).x, 1);
assert.sameValue(Object.hasOwn({ __proto__: { inherited: 1 } }, "inherited"), false);
