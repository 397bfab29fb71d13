/*---
description: A generator hands values both ways, through another one as well.
---*/

function* inner() {
  const got = yield "asked";
  try {
    yield got;
  } finally {
    yield "cleaned";
  }
  return "unreached";
}
function* outer() {
  return yield* inner();
}
const steps = outer();
assert.sameValue(steps.next().value, "asked");
assert.sameValue(steps.next("told").value, "told");
const cleaned = steps.return("end");
assert.compareArray([cleaned.value, cleaned.done], ["cleaned", false]);
const end = steps.next();
assert.compareArray([end.value, end.done], ["end", true], "what was returned:");
