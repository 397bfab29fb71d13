/*---
description: A proxy answers for its target, within what the target fixes.
features: [Proxy, Reflect]
---*/

const log = [];
const target = Object.defineProperty({}, "fixed", { value: 1 });
const proxy = new Proxy(target, {
  get(object, key, receiver) {
    log.push(`get ${String(key)}`);
    return key === "fixed" ? 2 : Reflect.get(object, key, receiver);
  },
  has: () => false,
  ownKeys: () => ["fixed", "more"],
});
assert.sameValue(proxy.other, undefined);
assert.throws(TypeError, () => proxy.fixed);
assert.throws(TypeError, () => "fixed" in proxy);
assert.compareArray(Reflect.ownKeys(proxy), ["fixed", "more"]);
assert.compareArray(log, ["get other", "get fixed"]);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
assert.throws(TypeError, () => revoked.a);
assert.throws(TypeError, () => Reflect.ownKeys(revoked));
