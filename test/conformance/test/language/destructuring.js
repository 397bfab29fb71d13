/*---
description: Patterns take defaults, rests and computed keys, in the order written.
---*/

const log = [];
const read = (name, value) => {
  log.push(name);
  return value;
};
const key = "b";
const { a = read("a", 1), [key]: b, ...rest } = { b: 2, c: 3, d: 4 };
const [first, , third = read("third", 5), ...others] = [1, 2, undefined, 6, 7];
assert.compareArray([a, b, first, third], [1, 2, 1, 5]);
assert.compareArray(Object.keys(rest), ["c", "d"]);
assert.compareArray(others, [6, 7]);
assert.compareArray(log, ["a", "third"]);
assert.throws(TypeError, () => {
  const {} = null;
});
