/*---
description: A chain ends at the first nothing, and what stands behind it does not run.
---*/

let reads = 0;
const nothing = undefined;
assert.sameValue(nothing?.[reads++].a.b(reads++), undefined);
assert.sameValue(reads, 0);
const object = { f() { return this; } };
assert.sameValue((object?.f)(), object);
assert.sameValue(delete nothing?.a, true);
let name = null;
name ??= "set";
name &&= `${name}!`;
name ||= "unused";
assert.sameValue(name, "set!");
