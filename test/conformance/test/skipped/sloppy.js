/*---
description: A text that is not strict.
flags: [noStrict]
---*/

undeclared = 1;
