/*---
description: What a promise is followed by can be replaced.
---*/

const { then } = Promise.prototype;
Promise.prototype.then = () => undefined;
assert.sameValue(Promise.resolve().then(), undefined);
Promise.prototype.then = then;
