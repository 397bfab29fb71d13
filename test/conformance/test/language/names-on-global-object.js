/*---
description: A declaration of a script is a property of the global object.
---*/

var declared = 1;
assert.sameValue(globalThis.declared, 1);
