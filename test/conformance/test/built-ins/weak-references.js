/*---
description: A weak reference gives its target while that lives.
features: [WeakRef, FinalizationRegistry]
---*/

const target = {};
assert.sameValue(new WeakRef(target).deref(), target);
new FinalizationRegistry(() => {}).register(target, 1);
