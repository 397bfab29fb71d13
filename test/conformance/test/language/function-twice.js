/*---
description: At the top of a script, a name of a function may be declared again.
---*/

function twice() {}
var twice = 1;
assert.sameValue(twice, 1);
