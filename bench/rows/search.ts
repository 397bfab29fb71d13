import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { indexSearch, type Searchable } from "../../src/registry/search.ts";
import { hasShared, readCatalogs, sharedPath } from "../../test/reference.ts";
import type { Case, Row } from "../row.ts";

interface Questions {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly questions: readonly { readonly query: string; readonly tool: string }[];
}

/** The names found, best first. */
type Find = (query: string) => readonly string[];

const many = 10_000;
const asked = 200;

/** How well and how fast tools are found, beside the same library as it comes. */
export function search(): Promise<Case> {
  const rows = hasShared ? [...quality(), ...speed()] : [];
  return Promise.resolve({ name: "search", rounds: 3, rows, close: () => Promise.resolve() });
}

const readQuestions = (): Questions =>
  JSON.parse(readFileSync(sharedPath("search", "metatool.json"), "utf8")) as Questions;

function quality(): readonly Row[] {
  const { tools, questions } = readQuestions();
  const things = tools.map(({ name, description }) => thing(name, description, []));
  const finders: readonly (readonly [string, Find])[] = [
    ["minisearch's defaults", plainIndex(things)],
    ["codecall", ownIndex(things)],
  ];
  const share = (find: Find, among: number): number =>
    questions.filter(({ query, tool }) => find(query).slice(0, among).includes(tool)).length / questions.length;
  return ["right first", "right among five", "one question"].flatMap((what) =>
    finders.map(([name, find], at): Row => ({
      name: `${tools.length} tools, ${questions.length} questions, ${what}: ${name}`,
      unit: what === "one question" ? "us" : "share",
      sample: () =>
        Promise.resolve(
          what === "one question" ? timeEach(find, questions) : share(find, what === "right first" ? 1 : 5),
        ),
      ...(at === 0
        ? {}
        : { against: `${tools.length} tools, ${questions.length} questions, ${what}: ${finders[0]?.[0] ?? ""}` }),
    })),
  );
}

function speed(): readonly Row[] {
  const { questions } = readQuestions();
  const catalog = [...readCatalogs().values()].flat();
  const things = Array.from({ length: many }, (_, at) => {
    const tool = catalog[at % catalog.length];
    const properties = Object.keys(tool?.inputSchema["properties"] ?? {});
    return thing(`mcp_server${at % 97}_${at}__${tool?.name ?? ""}`, tool?.description ?? "", properties);
  });
  const makers = [
    ["minisearch's defaults", plainIndex],
    ["codecall", ownIndex],
  ] as const;
  const finders = new Map<string, Find>();
  const base = (what: string): string => `${many} tools, ${what}: ${makers[0][0]}`;
  return [
    ...makers.map(([name, make], at): Row => ({
      name: `${many} tools, index: ${name}`,
      unit: "ms",
      sample() {
        const start = performance.now();
        finders.set(name, make(things));
        return Promise.resolve(performance.now() - start);
      },
      ...(at === 0 ? {} : { against: base("index") }),
    })),
    ...makers.map(([name], at): Row => ({
      name: `${many} tools, one question: ${name}`,
      unit: "us",
      sample: () => Promise.resolve(timeEach(finders.get(name) ?? (() => []), questions.slice(0, asked))),
      ...(at === 0 ? {} : { against: base("one question") }),
    })),
  ];
}

function timeEach(find: Find, questions: Questions["questions"]): readonly number[] {
  return questions.map(({ query }) => {
    const start = performance.now();
    find(query);
    return (performance.now() - start) * 1_000;
  });
}

const thing = (name: string, description: string, parameters: readonly string[]): Searchable => ({
  name,
  kind: "mcp",
  otherNames: name.includes("__") ? [name.split("__").at(-1) ?? ""] : [],
  description,
  keywords: [],
  parameters,
});

function ownIndex(things: readonly Searchable[]): Find {
  const find = indexSearch(things);
  return (query) => find(query).hits.map(({ name }) => name);
}

function plainIndex(things: readonly Searchable[]): Find {
  const index = new MiniSearch<Searchable>({ idField: "name", fields: ["name", "description", "parameters"] });
  index.addAll(things);
  return (query) => index.search(query).map(({ id }) => String(id));
}
