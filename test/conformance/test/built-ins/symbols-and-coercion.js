/*---
description: Objects become primitives as they say themselves.
---*/

const odd = { [Symbol.toPrimitive]: (hint) => (hint === "number" ? 1 : hint) };
assert.compareArray([+odd, `${odd}`, odd + ""], [1, "string", "default"]);
assert.sameValue(Symbol.for("a"), Symbol.for("a"));
assert.sameValue(Symbol("why").description, "why");
assert.throws(TypeError, () => `${Symbol()}`);
assert.sameValue([] + {}, "[object Object]");
assert.sameValue(null == undefined && !(null == 0), true);
