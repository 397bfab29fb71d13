/*---
description: A buffer made with room can grow.
features: [resizable-arraybuffer, arraybuffer-transfer]
---*/

const buffer = new ArrayBuffer(4, { maxByteLength: 8 });
const bytes = new Uint8Array(buffer);
buffer.resize(8);
assert.sameValue(bytes.length, 8);
assert.sameValue(buffer.transfer().byteLength, 8);
