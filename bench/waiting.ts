// waiting.ts PATH COUNT: a process that opens a store and lists its suspended runs; prints the MB by which it grew.
import { sqliteStore } from "codecall";

const [, , path = "", count = "0"] = process.argv;
const before = process.memoryUsage().rss;
const store = sqliteStore({ path });
const { length } = await store.list({ tenant: "bench", status: "suspended", limit: Number(count) });
if (length !== Number(count)) throw new Error(`${length} suspended runs instead of ${count}`);
console.log((process.memoryUsage().rss - before) / 1_048_576);
await store.close();
