/*---
description: An error that is not caught ends the program under its name.
negative:
  phase: runtime
  type: TypeError
---*/

null.property;
