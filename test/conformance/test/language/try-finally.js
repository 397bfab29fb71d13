/*---
description: What a finally block does last counts.
---*/

const overridden = () => {
  try {
    return "try";
  } finally {
    return "finally";
  }
};
const continued = () => {
  for (const n of [1, 2]) {
    try {
      throw new Error("lost");
    } finally {
      if (n === 1) continue;
      return n;
    }
  }
};
assert.sameValue(overridden(), "finally");
assert.sameValue(continued(), 2);
