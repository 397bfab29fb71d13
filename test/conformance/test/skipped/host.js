/*---
description: A text that needs a host.
---*/

$262.createRealm();
