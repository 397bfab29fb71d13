/*---
description: What tests expect.
defines: [assert]
---*/

function assert(holds, message) {
  if (holds !== true) throw new Test262Error(message ?? `expected true, got ${String(holds)}`);
}

assert.sameValue = (actual, expected, message = "") => {
  if (!Object.is(actual, expected)) throw new Test262Error(`${message} expected ${String(expected)}, got ${String(actual)}`);
};

assert.notSameValue = (actual, other, message = "") => {
  if (Object.is(actual, other)) throw new Test262Error(`${message} expected anything but ${String(other)}`);
};

assert.compareArray = (actual, expected, message = "") => {
  assert.sameValue(actual.length, expected.length, `${message} length:`);
  expected.forEach((item, index) => assert.sameValue(actual[index], item, `${message} [${index}]:`));
};

assert.throws = (type, act, message = "") => {
  try {
    act();
  } catch (thrown) {
    assert.sameValue(thrown.constructor, type, message);
    return;
  }
  throw new Test262Error(`${message} expected ${type.name}, and nothing was thrown`);
};
