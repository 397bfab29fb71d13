/*---
description: A module.
flags: [module]
---*/

export const value = 1;
