/*---
description: Views of one buffer, and what they do with numbers.
features: [TypedArray]
---*/

const buffer = new ArrayBuffer(8);
const bytes = new Uint8Array(buffer);
new DataView(buffer).setFloat32(0, 1.5);
assert.compareArray(bytes.slice(0, 4), [63, 192, 0, 0]);
bytes[0] = 257;
bytes[99] = 1;
assert.compareArray([bytes[0], bytes[99]], [1, undefined]);
assert.compareArray(new Uint8ClampedArray([300, -5, 1.5]), [255, 0, 2]);
assert.throws(RangeError, () => new Uint16Array(buffer, 1));
assert.compareArray(new Float64Array([3, NaN, -0, 0]).sort(), [-0, 0, 3, NaN]);
assert.sameValue(new BigUint64Array([-1n])[0], 18_446_744_073_709_551_615n);
assert.sameValue(buffer.slice(2).byteLength, 6);
