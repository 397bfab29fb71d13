/*---
description: Fields are made in their order, before the rest of the constructor.
---*/

const log = [];
class Base {
  #hidden = 1;
  static made = 0;
  static {
    log.push("static");
  }
  ["computed"] = log.push("field");
  accessor = this.#hidden;
  constructor() {
    Base.made += 1;
    log.push("constructor");
  }
  get hidden() {
    return this.#hidden;
  }
  set hidden(value) {
    this.#hidden = value;
  }
  static is(value) {
    return #hidden in value;
  }
}
class Derived extends Base {
  own = super.hidden;
}
const made = new Derived();
made.hidden = 7;
assert.compareArray(log, ["static", "field", "constructor"]);
assert.compareArray([made.own, made.hidden, made.accessor, Base.made], [1, 7, 1, 1]);
assert.compareArray([Base.is(made), Base.is({})], [true, false]);
