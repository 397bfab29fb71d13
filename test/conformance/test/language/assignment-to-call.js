/*---
description: A call is no place to assign to.
negative:
  phase: parse
  type: SyntaxError
---*/

$DONOTEVALUATE();
f() = 1;
