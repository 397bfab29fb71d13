/*---
description: An asynchronous generator is read one request after another, and closed by a loop that is left.
flags: [async]
---*/

const log = [];
async function* count() {
  try {
    for (let n = 1; ; n++) yield Promise.resolve(n);
  } finally {
    log.push("closed");
  }
}
(async () => {
  for await (const n of count()) {
    log.push(n);
    if (n === 2) break;
  }
  const twice = count();
  const both = await Promise.all([twice.next(), twice.next()]);
  log.push(...both.map(({ value }) => value));
  assert.compareArray(log, [1, 2, "closed", 1, 2]);
  assert.compareArray(await Array.fromAsync([Promise.resolve(1), 2]), [1, 2]);
})().then($DONE, $DONE);
