/*---
description: A thenable is taken up once, whatever it does.
flags: [async]
---*/

const thenable = {
  then(resolve, reject) {
    resolve("one");
    reject(new Error("two"));
    throw new Error("three");
  },
};
(async () => {
  assert.sameValue(await thenable, "one");
  const own = await Promise.resolve().then(() => chain).catch((error) => error);
  assert.sameValue(own.constructor, ReferenceError);
})().then($DONE, $DONE);
