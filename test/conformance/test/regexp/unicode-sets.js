/*---
description: Sets of characters, properties and flags of a part.
features: [regexp-v-flag, regexp-modifiers]
---*/

assert.sameValue(/^[\p{Letter}--[a-z]]+$/v.test("ÄÖ"), true);
assert.sameValue(/^\p{Emoji}$/u.test("😀"), true);
assert.sameValue(/^.$/.test("😀"), false);
assert.sameValue(/^(?i:a)b$/.test("Ab"), true);
assert.sameValue(/^(?i:a)b$/.test("AB"), false);
const sticky = /a/y;
sticky.lastIndex = 1;
assert.compareArray([sticky.test("ba"), sticky.lastIndex], [true, 2]);
assert.throws(SyntaxError, () => new RegExp("(?<a>.)(?<a>.)"));
