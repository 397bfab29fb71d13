/*---
description: The combinators of promises.
flags: [async]
---*/

const fail = (text) => Promise.reject(new Error(text));
(async () => {
  const settled = await Promise.allSettled([1, fail("a")]);
  assert.compareArray(settled.map(({ status }) => status), ["fulfilled", "rejected"]);
  assert.sameValue(await Promise.any([fail("a"), 2]), 2);
  const none = await Promise.any([fail("a"), fail("b")]).catch((error) => error);
  assert.compareArray([none instanceof AggregateError, none.errors.length], [true, 2]);
  assert.sameValue(await Promise.race([new Promise(() => {}), 3]), 3);
  const { promise, resolve } = Promise.withResolvers();
  resolve(4);
  assert.sameValue(await promise, 4);
  assert.sameValue(await Promise.try(() => 5), 5);
})().then($DONE, $DONE);
