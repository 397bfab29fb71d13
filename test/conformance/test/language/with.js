/*---
description: There is no with statement in strict code.
flags: [onlyStrict]
negative:
  phase: parse
  type: SyntaxError
---*/

$DONOTEVALUATE();
with ({}) {
}
