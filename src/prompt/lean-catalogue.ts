import { type CatalogueTool, nameOf, plain, takeTurns } from "./catalogue.ts";
import { commentLines } from "./comment-text.ts";
import { declareEntries, type Declarations } from "./declarations.ts";

export interface LeanCatalogueOptions {
  /** Of the index, four characters each. */
  readonly indexTokens: number;
  /** A sentence on how what is only named, or not shown at all, is had. */
  readonly findMore: string;
}

/**
 * Declares some tools in full and names the others as far as the budget allows, a tool of each source in turn, so that none
 * is crowded out by another.
 */
export function declareLean(
  shown: readonly CatalogueTool[],
  others: readonly CatalogueTool[],
  { indexTokens, findMore }: LeanCatalogueOptions,
): Declarations {
  const entries = shown.map((tool) => ({ tool, detail: "full" }) as const);
  if (others.length === 0) return declareEntries(entries);
  const named = fitting(others, indexTokens * 4 - headerChars - findMore.length);
  const total = shown.length + others.length;
  const told = shown.length + named.length;
  const status = told === total ? "COMPLETE" : "PARTIAL";
  const counts = `${shown.length} in full, ${named.length} by name`;
  const header = commentLines(`${status}, ${told} of ${total} tools: ${counts}. ${findMore}`).map(
    (line) => `// ${line}`,
  );
  return declareEntries(entries, header, indexOf(named));
}

const headerChars = 80;
const lineChars = 6;

function fitting(tools: readonly CatalogueTool[], chars: number): readonly CatalogueTool[] {
  const sources = new Set<string>();
  const fits = new Set<CatalogueTool>();
  let room = chars;
  for (const tool of takeTurns(tools)) {
    const isNew = !sources.has(tool.source);
    const cost = nameOf(tool).length + 2 + (isNew ? plain(tool.source).length + lineChars : 0);
    if (cost > room) continue;
    room -= cost;
    sources.add(tool.source);
    fits.add(tool);
  }
  return tools.filter((tool) => fits.has(tool));
}

/** A comment line for each source. */
const indexOf = (tools: readonly CatalogueTool[]): readonly string[] =>
  [...Map.groupBy(tools, ({ source }) => source)].map(
    ([source, own]) => `// ${plain(source)}: ${own.map(nameOf).join(", ")}`,
  );
