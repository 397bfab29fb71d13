// npm run tokens: what a model reads of the reference catalogues, in tokens, as Markdown
import { hasShared, readCatalogs, type CatalogTool } from "../../test/reference.ts";
import { countTokens, declaredText, generatedText, schemasText } from "../wordings.ts";

type Wording = (tools: readonly CatalogTool[]) => string | Promise<string>;

if (!hasShared) throw new Error("the reference catalogues are not there");

const path = "./systems/wordings.ts";
const { wordings: peers } = (await import(path)) as { readonly wordings: Readonly<Record<string, Wording>> };
const wordings: readonly (readonly [string, Wording])[] = [
  ["JSON Schemas", schemasText],
  ["json-schema-to-typescript", generatedText],
  ...Object.entries(peers),
  ["codecall", declaredText],
];

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const sums = wordings.map(() => 0);
console.log(row(["catalogue", "tools", ...wordings.map(([name]) => name)]));
console.log(row(["---", ...wordings.map(() => "---:"), "---:"]));
for (const [name, tools] of readCatalogs()) {
  const counts: number[] = [];
  for (const [at, [, wording]] of wordings.entries()) {
    const count = countTokens(await wording(tools));
    counts.push(count);
    sums[at] = (sums[at] ?? 0) + count;
  }
  console.log(row([name, tools.length, ...counts]));
}
console.log(row(["all", "", ...sums]));
