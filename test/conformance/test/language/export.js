/*---
description: A script exports nothing.
negative:
  phase: parse
  type: SyntaxError
---*/

$DONOTEVALUATE();
export default 1;
