// One index over what a surface offers, made when the surface is made. A name that is asked for exactly comes first;
// all else is ranked by what it has in common with the question. Equal ranks are in the order of the index.
import { distance } from "fastest-levenshtein";
import MiniSearch from "minisearch";
import { firstSentence } from "../first-sentence.ts";
import { nearest } from "../nearest.ts";
import { bareName, stemOf, wordsOf } from "./search-words.ts";

export interface Searchable {
  readonly name: string;
  readonly kind: string;
  /** What else it is called: by its source, by a provider, in a program. */
  readonly otherNames: readonly string[];
  readonly description: string;
  readonly keywords: readonly string[];
  readonly parameters: readonly string[];
}

export interface SearchHit {
  readonly name: string;
  readonly kind: string;
  /** The first sentence of its description, in one line. */
  readonly description: string;
}

export interface SearchOptions {
  readonly limit?: number;
  /** Only these; all unless given. */
  readonly kinds?: readonly string[];
  /** Names that are not to be found. */
  readonly without?: (name: string) => boolean;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The three names that are nearest to the question, where nothing was hit. */
  readonly closest: readonly string[];
}

export type Search = (query: string, options?: SearchOptions) => SearchAnswer;

const defaultLimit = 5;
const queryChars = 1_000;
const describedChars = 300;
/** Where there are many things, a word that so many of them hold tells none of them apart. */
const commonShare = 0.1;
const many = 1_000;

/** Makes the index of some things, each of its own name. */
export function indexSearch(things: readonly Searchable[]): Search {
  const words = new Map<string, Word>();
  const index = new MiniSearch<Searchable & { readonly id: number }>({
    fields: ["name", "description", "keywords", "parameters"],
    tokenize: (text) => [...wordsOf(text)],
    processTerm(written) {
      let word = words.get(written);
      if (word === undefined) words.set(written, (word = { term: stemOf(written), count: 0 }));
      word.count++;
      return word.term ?? false;
    },
    extractField: (thing, field) => fieldText(thing, field),
    searchOptions: { boost: { name: 2 }, processTerm: (term) => term },
  });
  index.addAll(things.map((thing, id) => ({ ...thing, id })));
  const common = commonTerms([...words.values()], things.length);
  const byName = Map.groupBy(
    things.flatMap((thing, id) => [thing.name, ...thing.otherNames].map((name) => ({ name, id }))),
    ({ name }) => bareName(name),
  );

  /** Those of that name, as it is written before those that it is like. */
  function namedAs(query: string): readonly number[] {
    const alike = byName.get(bareName(query)) ?? [];
    const written = query.trim();
    return [...alike.filter(({ name }) => name === written), ...alike].map(({ id }) => id);
  }

  function rank(terms: readonly string[], isOf: (thing: Searchable | undefined) => boolean): readonly number[] {
    const telling = terms.filter((term) => !common.has(term));
    const asked = telling.length > 0 ? telling : terms;
    const found = index.search(asked.join(" "), {
      tokenize: () => [...asked],
      filter: ({ id }) => isOf(things[Number(id)]),
    });
    return found.sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id)).map(({ id }) => Number(id));
  }

  function closest(query: string, named: readonly Searchable[]): readonly string[] {
    const near = nearest(
      query,
      named.map((thing) => thing.name),
    );
    if (near.length >= 3 || near.length === named.length) return near;
    const wanted = bareName(query).slice(0, comparedChars);
    const far = named
      .filter((thing) => !near.includes(thing.name))
      .map((thing) => ({ name: thing.name, edits: distance(wanted, bareName(thing.name).slice(-comparedChars)) }))
      .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1));
    return [...near, ...far.map(({ name }) => name)].slice(0, 3);
  }

  return (given, { limit = defaultLimit, kinds, without } = {}) => {
    const query = given.slice(0, queryChars);
    const isOf = (thing: Searchable | undefined): boolean =>
      thing !== undefined &&
      (kinds === undefined || kinds.includes(thing.kind)) &&
      (without === undefined || !without(thing.name));
    const exact = namedAs(query).filter((id) => isOf(things[id]));
    const terms = wordsOf(query).flatMap((written) => stemOf(written) ?? []);
    const ranked = [...new Set([...exact, ...rank(terms, isOf)])].slice(0, limit);
    const hits = ranked.flatMap((id) => hitOf(things[id]));
    return { hits, closest: hits.length > 0 ? [] : closest(query, things.filter(isOf)) };
  };
}

const comparedChars = 32;

interface Word {
  readonly term: string | undefined;
  count: number;
}

function commonTerms(words: readonly Word[], things: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { term, count } of things < many ? [] : words)
    if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + count);
  return new Set([...counts].filter(([, count]) => count > things * commonShare).map(([term]) => term));
}

function fieldText(thing: Searchable & { readonly id: number }, field: string): string {
  switch (field) {
    case "id":
      return String(thing.id);
    case "name":
      return [...new Set([thing.name, ...thing.otherNames].flatMap(wordsOf))].join(" ");
    case "description":
      return thing.description.slice(0, describedChars);
    case "keywords":
      return thing.keywords.join(" ");
    default:
      return thing.parameters.join(" ");
  }
}

function hitOf(thing: Searchable | undefined): readonly SearchHit[] {
  if (thing === undefined) return [];
  const { name, kind, description } = thing;
  const line = firstSentence(description).replaceAll(/\s+/g, " ");
  return [{ name, kind, description: line.length > describedChars ? `${line.slice(0, describedChars)}…` : line }];
}
