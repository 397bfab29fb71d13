/*---
description: A class needs new, a derived one super before this.
---*/

class Base {}
class Derived extends Base {
  constructor(callsSuper) {
    if (callsSuper) super();
  }
}
assert.throws(TypeError, () => Base());
assert.throws(ReferenceError, () => new Derived(false));
assert(new Derived(true) instanceof Base);
function Old() {
  return new.target;
}
assert.sameValue(Reflect.construct(Old, [], Base), Base);
