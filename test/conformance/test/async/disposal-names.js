/*---
description: A function gets its name from what binds it, using included.
features: [explicit-resource-management]
---*/

Function.prototype[Symbol.dispose] = () => {};
{
  using named = () => {};
  assert.sameValue(named.name, "named");
}
