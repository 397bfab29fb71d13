/*---
description: At the top of a script, this is the global object.
---*/

assert.sameValue(this, globalThis);
