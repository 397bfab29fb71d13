// A catalogue over its budget is shown in steps: every tool by name before any with its types, every tool with its types
// before any in full. Each step goes round the sources, a tool of each in turn, so that none is crowded out by another.
import { commentLines } from "./comment-text.ts";
import { declareEntries, declareOnce, type Declarations, type Entry } from "./declarations.ts";
import { accessorOf, type Declarable } from "./declare-tool.ts";

export interface CatalogueTool extends Declarable {
  /** Where it comes from; tools of one source share that source's turn. */
  readonly source: string;
}

export interface CatalogueOptions {
  /** Of the whole text, where four characters count as one. */
  readonly maxTokens: number;
  /** A sentence on how what is not shown is found. */
  readonly findMore: string;
}

export interface Catalogue extends Declarations {
  /** Whether every tool is at least named. */
  readonly complete: boolean;
  /** How many tools are declared in full, with their types and a sentence, by name alone, and not at all. */
  readonly counts: Readonly<Record<"full" | "brief" | "names" | "absent", number>>;
}

const steps = ["names", "brief", "full"] as const;
type Step = (typeof steps)[number];

/** What a text costs: four characters count as one token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * Declares as much of a catalogue as a budget allows; all of it in full, and nothing else said, where it fits. Tools that
 * are left out stay callable. A budget too small for the frame of the text gives the frame.
 */
export function declareWithin(tools: readonly CatalogueTool[], options: CatalogueOptions): Catalogue {
  const whole = declareEntries(tools.map((tool) => ({ tool, detail: "full" })));
  if (estimateTokens(whole.text) <= options.maxTokens) {
    return { ...whole, complete: true, counts: { full: tools.length, brief: 0, names: 0, absent: 0 } };
  }
  const order = takeTurns(tools);
  let best = render(tools, new Map(), options);
  // Parameters that tools share are counted with each of them: what that leaves over is given out again.
  let chars = options.maxTokens * 4 - best.text.length - headerSlack;
  for (let round = 0; round < maxRounds; round++) {
    const next = render(tools, choose(order, chars), options);
    const left = options.maxTokens * 4 - next.text.length;
    if (left < 0) break;
    best = next;
    chars += left;
  }
  return best;
}

/** How far each tool gets with so many characters. */
function choose(order: readonly CatalogueTool[], chars: number): ReadonlyMap<CatalogueTool, Step> {
  const shown = new Map<CatalogueTool, Step>();
  let room = chars;
  for (const source of new Set(order.map((tool) => tool.source))) room -= plain(source).length + namesFrame;
  for (const step of steps) {
    for (const tool of order) {
      const before = shown.get(tool);
      if (step !== "names" && before === undefined) continue;
      const cost = sizeOf(tool, step) - (before === undefined ? 0 : sizeOf(tool, before));
      if (cost > room) continue;
      room -= cost;
      shown.set(tool, step);
    }
  }
  return shown;
}

const maxRounds = 4;
const headerSlack = 80;
const namesFrame = 6;

/** One tool of each source in turn, each source in its own order. */
export function takeTurns(tools: readonly CatalogueTool[]): readonly CatalogueTool[] {
  const sources = [...Map.groupBy(tools, (tool) => tool.source).values()];
  const longest = Math.max(0, ...sources.map((own) => own.length));
  return Array.from({ length: longest }, (_, turn) => sources.flatMap((own) => own[turn] ?? [])).flat();
}

function sizeOf(tool: CatalogueTool, step: Step): number {
  if (step === "names") return nameOf(tool).length + 2;
  const { text, types } = declareOnce(tool, step);
  return types.reduce((size, type) => size + type.text.length + 1, text.length + 1);
}

export const nameOf = (tool: CatalogueTool): string => plain(accessorOf(tool));

export const plain = (text: string): string => commentLines(text).join(" ");

function render(
  tools: readonly CatalogueTool[],
  shown: ReadonlyMap<CatalogueTool, Step>,
  { findMore }: CatalogueOptions,
): Catalogue {
  const entries: Entry[] = [];
  const named: CatalogueTool[] = [];
  const counts = { full: 0, brief: 0, names: 0, absent: 0 };
  for (const tool of tools) {
    const step = shown.get(tool);
    counts[step ?? "absent"] += 1;
    if (step === "names") named.push(tool);
    else if (step !== undefined) entries.push({ tool, detail: step });
  }
  const complete = counts.absent === 0;
  const total = tools.length;
  const parts = [`${counts.full} in full`, `${counts.brief} in brief`, `${counts.names} by name`];
  const status = complete
    ? `COMPLETE, ${total} of ${total} tools`
    : `PARTIAL, ${total - counts.absent} of ${total} tools`;
  const header = commentLines(`${status}: ${parts.join(", ")}. ${findMore}`).map((line) => `// ${line}`);
  const names = [...Map.groupBy(named, (tool) => tool.source)].map(
    ([source, own]) => `// ${plain(source)}: ${own.map((tool) => nameOf(tool)).join(", ")}`,
  );
  return { ...declareEntries(entries, header, names), complete, counts };
}
