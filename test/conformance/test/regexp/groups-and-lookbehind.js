/*---
description: Named groups, looking behind, indices.
features: [regexp-named-groups, regexp-lookbehind]
---*/

const found = /(?<=\$)(?<whole>\d+)(?:\.(?<part>\d+))?/d.exec("costs $12.50");
assert.compareArray([found.groups.whole, found.groups.part, found.index], ["12", "50", 7]);
assert.compareArray(found.indices.groups.part, [10, 12]);
assert.sameValue("2024-02-01".replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, "$<d>.$<m>.$<y>"), "01.02.2024");
assert.compareArray([..."a1b2".matchAll(/[a-z](\d)/g)].map(([, digit]) => digit), ["1", "2"]);
