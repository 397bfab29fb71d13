/*---
description: Labels leave the loop they name; a switch falls through, its default in the middle too.
---*/

let turns = 0;
outer: for (const a of [1, 2, 3]) {
  for (const b of [1, 2, 3]) {
    if (b === 2) continue outer;
    if (a === 3) break outer;
    turns += 1;
  }
}
assert.sameValue(turns, 2);
const walk = (value) => {
  const seen = [];
  switch (value) {
    case 1:
      seen.push(1);
    default:
      seen.push("other");
    case 2:
      seen.push(2);
      break;
    case 3:
      seen.push(3);
  }
  return seen.join();
};
assert.compareArray([1, 2, 3, 4].map(walk), ["1,other,2", "2", "3", "other,2"]);
