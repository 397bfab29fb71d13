import { startHost } from "./host.ts";

await using host = await startHost();
await host.run("1 + 1", 2);
