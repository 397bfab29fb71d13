/*---
description: Direct eval sees the names around it, indirect eval the global ones alone.
---*/

const near = "near";
assert.sameValue(eval("near"), "near");
assert.throws(ReferenceError, () => (0, eval)("near"));
eval("var inside = 1");
assert.sameValue(typeof inside, "undefined");
assert.sameValue(new Function("a", "b", "return a + b")(1, 2), 3);
assert.sameValue((0, eval)("typeof assert"), "function");
