/*---
description: A name is declared once in a block.
negative:
  phase: parse
  type: SyntaxError
---*/

$DONOTEVALUATE();
let twice;
const twice = 1;
