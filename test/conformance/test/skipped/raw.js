/*---
description: A text that may not be changed.
flags: [raw]
---*/

"use strict";
