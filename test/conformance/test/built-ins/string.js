/*---
description: Text by code units and by code points.
---*/

assert.sameValue("😀".length, 2);
assert.compareArray([..."a😀"], ["a", "😀"]);
assert.sameValue("é".normalize("NFC"), "\u00e9");
assert.sameValue("a\ud800".isWellFormed(), false);
assert.sameValue("abc".padStart(5, "12"), "12abc");
assert.sameValue("a-b-c".replaceAll("-", (_, at) => at), "a1b3c");
assert.sameValue(String.raw`\n${1}`, "\\n1");
assert.sameValue("ß".toUpperCase(), "SS");
