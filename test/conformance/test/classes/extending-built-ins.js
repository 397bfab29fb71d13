/*---
description: Built-ins can be extended, species included.
---*/

class List extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}
const list = List.from([3, 1, 2]);
assert.compareArray([list instanceof List, list.length, list.map((n) => n) instanceof List], [true, 3, false]);
class Wrong extends Error {
  name = "Wrong";
}
const wrong = new Wrong("why", { cause: list });
assert.compareArray([wrong instanceof Error, String(wrong), wrong.cause], [true, "Wrong: why", list]);
