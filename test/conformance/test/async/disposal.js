/*---
description: What using declares is disposed at the end of its block, the last first.
flags: [async]
features: [explicit-resource-management]
---*/

const log = [];
const open = (name) => ({ [Symbol.dispose]: () => log.push(name), [Symbol.asyncDispose]: async () => log.push(`${name}, later`) });
(async () => {
  {
    using a = open("a");
    await using b = open("b");
    log.push("body");
  }
  assert.compareArray(log, ["body", "b, later", "a"]);
  const stack = new DisposableStack();
  stack.defer(() => log.push("deferred"));
  stack.dispose();
  assert.sameValue(log.at(-1), "deferred");
})().then($DONE, $DONE);
