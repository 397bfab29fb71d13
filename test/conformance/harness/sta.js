/*---
description: The error of a test that fails, and what stands where nothing may run.
defines: [Test262Error, $DONOTEVALUATE]
---*/

class Test262Error extends Error {
  get name() {
    return "Test262Error";
  }
}

function $DONOTEVALUATE() {
  throw new Test262Error("this text was run");
}
