/*---
description: Each turn of a loop has variables of its own.
---*/

const reads = [];
for (let i = 0; i < 3; i++) reads.push(() => i++);
assert.compareArray(reads.map((read) => read()), [0, 1, 2]);
assert.compareArray(reads.map((read) => read()), [1, 2, 3]);
