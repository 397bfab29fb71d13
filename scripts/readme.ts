// Writes the README's tables from the tables in the code, so that they cannot differ; a test compares them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codes } from "../src/errors.ts";
import { conversions } from "../src/json.ts";
import { limitTable } from "../src/limits.ts";

/** The rows of each generated table, by the heading it stands under. */
const tables: ReadonlyMap<string, readonly string[]> = new Map([
  ["### What crosses the border", conversions.map(([kind, becomes]) => `| ${kind} | ${becomes} |`)],
  [
    "### Limits",
    Object.entries(limitTable).map(
      ([name, row]) => `| \`${name}\` | ${row.default} | ${row.min} to ${row.max} ${row.unit} | ${row.what} |`,
    ),
  ],
  ["### Errors", Object.entries(codes).map(([code, what]) => `| \`${code}\` | ${what} |`)],
]);

/** The text with the body of every generated table replaced. */
export function withTables(text: string): string {
  let result = text;
  for (const [heading, rows] of tables) {
    const rule = /\n\|(?:-+\|)+\n/g;
    rule.lastIndex = result.indexOf(heading);
    if (rule.lastIndex < 0 || rule.exec(result) === null) throw new Error(`the README has no table under "${heading}"`);
    const body = rule.lastIndex;
    result = `${result.slice(0, body)}${rows.join("\n")}${result.slice(result.indexOf("\n\n", body))}`;
  }
  return result;
}

if (import.meta.main) {
  const path = join(import.meta.dirname, "../README.md");
  writeFileSync(path, withTables(readFileSync(path, "utf8")));
}
