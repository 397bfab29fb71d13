/*---
description: Outside of modules, await is a name like any other.
---*/

const await = 1;
assert.sameValue(await, 1);
