/*---
description: A script may hold comments as HTML has them.
---*/

let n = 1;
<!-- n = 2;
--> n = 3;
assert.sameValue(n, 1);
