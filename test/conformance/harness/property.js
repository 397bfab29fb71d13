/*---
description: Attributes of a property.
defines: [assertAttributes]
---*/

function assertAttributes(object, key, { writable, enumerable, configurable }) {
  const found = Object.getOwnPropertyDescriptor(object, key);
  assert.sameValue(found?.writable, writable, `${String(key)} writable:`);
  assert.sameValue(found?.enumerable, enumerable, `${String(key)} enumerable:`);
  assert.sameValue(found?.configurable, configurable, `${String(key)} configurable:`);
}
