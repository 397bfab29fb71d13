/*---
description: Reactions run in the order in which they become ready.
flags: [async]
---*/

const log = [];
const note = (text) => () => log.push(text);
async function waits() {
  log.push("start");
  await null;
  log.push("after await");
}
Promise.resolve()
  .then(note("first"))
  .then(note("third"));
waits()
  .then(note("fourth"))
  .then(() => assert.compareArray(log, ["start", "sync", "first", "after await", "third", "fourth"]))
  .then(() => $DONE(), $DONE);
log.push("sync");
