import { type CatalogTool, hasShared, readCatalogs } from "../../test/reference.ts";
import type { Case, Row } from "../row.ts";
import { countTokens, declaredText, generatedText, schemasText } from "../wordings.ts";

/** What a model reads of tools, in tokens: their JSON Schemas, what another generator makes of them, and our declarations. */
export function tokens(): Promise<Case> {
  const catalogs = hasShared ? [...readCatalogs()] : [];
  const all = catalogs.flatMap(([, tools]) => tools);
  const rows = [...catalogs, ...(all.length > 0 ? [["all", all] as const] : [])].flatMap(([name, tools]) =>
    rowsOf(name, tools, name === "all" ? catalogs.map(([, own]) => own) : [tools]),
  );
  return Promise.resolve({ name: "tokens", rounds: 1, rows, close: () => Promise.resolve() });
}

/** Each text is that of one catalogue; the row of all is their sum. */
function rowsOf(
  name: string,
  tools: readonly CatalogTool[],
  parts: readonly (readonly CatalogTool[])[],
): readonly Row[] {
  const sum = async (textOf: (tools: readonly CatalogTool[]) => string | Promise<string>): Promise<number> => {
    let count = 0;
    for (const part of parts) count += countTokens(await textOf(part));
    return count;
  };
  const generated = `${name}, ${tools.length} tools: json-schema-to-typescript`;
  return [
    { name: `${name}, ${tools.length} tools: JSON Schemas`, unit: "tokens", sample: () => sum(schemasText) },
    { name: generated, unit: "tokens", sample: () => sum(generatedText) },
    {
      name: `${name}, ${tools.length} tools: declared`,
      unit: "tokens",
      sample: () => sum(declaredText),
      against: generated,
    },
  ];
}

const atOnce = 500;

/** Declarations of tools that were never declared before. */
export function declaring(): Promise<Case> {
  const text = JSON.stringify(hasShared ? [...readCatalogs().values()].flat().slice(0, atOnce) : []);
  const row: Row = {
    name: `${atOnce} catalogue tools declared anew`,
    unit: "ms",
    sample() {
      const tools = JSON.parse(text) as CatalogTool[];
      const start = performance.now();
      declaredText(tools);
      return Promise.resolve(performance.now() - start);
    },
    against: 50,
  };
  return Promise.resolve({
    name: "declaring",
    rounds: 20,
    rows: hasShared ? [row] : [],
    close: () => Promise.resolve(),
  });
}
