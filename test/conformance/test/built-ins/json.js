/*---
description: JSON, with its holes.
---*/

assert.sameValue(JSON.stringify({ a: [undefined, () => {}], b: undefined, c: NaN, d: new Date(0) }), '{"a":[null,null],"c":null,"d":"1970-01-01T00:00:00.000Z"}');
assert.sameValue(JSON.stringify("\u2028\ud800"), '"\u2028\\ud800"');
assert.sameValue(JSON.parse('{"__proto__":1}').__proto__, 1);
assert.throws(SyntaxError, () => JSON.parse("{'a':1}"));
assert.throws(TypeError, () => JSON.stringify(1n));
const circle = [];
circle.push(circle);
assert.throws(TypeError, () => JSON.stringify(circle));
