/*---
description: Dates in UTC, and what is no date.
---*/

assert.sameValue(new Date("2024-13-01T00:00:00Z").getTime(), NaN);
assert.sameValue(Date.UTC(2024, 1, 29), 1709164800000);
assert.sameValue(new Date(0).toISOString(), "1970-01-01T00:00:00.000Z");
assert.throws(RangeError, () => new Date(NaN).toISOString());
assert.sameValue(new Date(2024, 0, 31).getTimezoneOffset(), 0);
