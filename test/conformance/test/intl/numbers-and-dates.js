/*---
description: Numbers and dates as people of a place write them.
---*/

assert.sameValue(new Intl.NumberFormat("de").format(1234.5), "1.234,5");
assert.sameValue(new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).format(2), "€2.00");
const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Asia/Tokyo" });
assert.sameValue(date.format(new Date("2024-01-31T20:00:00Z")), "1 February 2024");
assert.sameValue((1234.5).toLocaleString("fr").replace(/\s/g, " "), "1 234,5");
