/*---
description: A private name that no class declares is no program.
negative:
  phase: parse
  type: SyntaxError
---*/

$DONOTEVALUATE();
class C {
  read() {
    return this.#absent;
  }
}
