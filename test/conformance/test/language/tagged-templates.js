/*---
description: The strings of a template are frozen and one object a place.
---*/

const tag = (strings) => strings;
const give = (n) => tag`a${n}\u{62}\n`;
assert.sameValue(give(1), give(2));
assert(Object.isFrozen(give(1)));
assert.compareArray(give(1), ["a", "b\n"]);
assert.compareArray(give(1).raw, ["a", "\\u{62}\\n"]);
assert.sameValue(tag`\u`[0], undefined);
