// Runs an example and prints what it shows.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Show } from "../examples/show.ts";

const folder = join(import.meta.dirname, "../examples");
const names = globSync("*/main.ts", { cwd: folder }).map(dirname).toSorted();

const [name = ""] = process.argv.slice(2);
if (names.includes(name)) {
  const example = (await import(join(folder, name, "main.ts"))) as { main: (show: Show) => Promise<void> };
  await example.main((title, text) => console.log(`== ${title} ==\n\n${text}\n`));
} else {
  console.error(`usage: npm run example NAME, where NAME is one of ${names.join(", ")}`);
  process.exitCode = 2;
}
